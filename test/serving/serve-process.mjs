// `repertoire serve …` from the build, in a process of its own.
import { serveCommand } from "../../dist/cli/serve.js";

await serveCommand().parseAsync(process.argv.slice(2), { from: "user" });
