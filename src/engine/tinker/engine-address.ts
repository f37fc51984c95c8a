// The address of a Tinker server, which stands in messages, records and checkpoints.
import { plainAddress } from "../../base/secrets.ts";

/** Engines take a key, and nothing else that is secret. */
export const plainEngineAddress = (url: string, flag = "--engine"): string =>
  plainAddress(url, flag, "the address is written down; name the environment variable with a key by --key-variable");
