/**
 * The command line: `gatehouse serve`, `gatehouse env`, `gatehouse dev`, `gatehouse objects …`, and commands for everything
 * that the API can do: `gatehouse rules list shop.example`.
 *
 * ```ts
 * process.exitCode = await runCli(['dev', 'examples', '--port', '8787']);
 * ```
 *
 * Exit codes: 0 for success, 1 for a failure, 2 for an invalid command line or configuration, 3 if the
 * server refused, 4 if it does not answer.
 */
export { loadCommands } from './cli/command-table.ts';
export { runCli } from './cli/run.ts';
