// The command as a run's description keeps it: what was typed, without the secrets that may stand in addresses.
import { withoutSecrets } from "../base/secrets.ts";

export const commandText = (args: readonly string[] = process.argv.slice(2)): string => withoutSecrets(args.join(" "));
