// Paths as every system but Windows writes them.
declare module "path-browserify" {
  import { posix } from "node:path";
  export default posix;
}
