// `repertoire serve …` from the build, in a process of its own.
import { commandNamed } from "../../dist/cli/commands.js";

const serve = await commandNamed("serve");
await serve.parseAsync(process.argv.slice(2), { from: "user" });
