// How whoever runs this types the command: through npm, which says so, or by its own name.
export const commandName = process.env.npm_command === undefined ? "repertoire" : "npx repertoire";
