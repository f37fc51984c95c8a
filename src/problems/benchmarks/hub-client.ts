// The Hugging Face hub's client, which only downloads need.
import { optionalPackage } from "../../base/optional-package.ts";

type HubClient = typeof import("@huggingface/hub");

export const hubClient = (): Promise<HubClient> =>
  optionalPackage(["@huggingface/hub"], "downloading from the Hugging Face hub", () => import("@huggingface/hub"));
