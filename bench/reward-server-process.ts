// The server that bench/rewards.ts measures, from the build as users run it: prints its address, ends with its input.
const build = new URL("../dist/serving/index.js", import.meta.url).href;
const { RewardServer } = (await import(build)) as typeof import("../src/serving/index.ts");
const server = await RewardServer.start({ port: 0, workers: Number(process.argv[2]) });
console.log(server.url);
process.stdin.resume().on("end", () => server.drain());
