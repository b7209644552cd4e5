/**
 * The command line: `gatehouse serve`, `gatehouse env`, `gatehouse dev`, `gatehouse objects …`.
 *
 * ```ts
 * process.exitCode = await runCli(['dev', 'examples', '--port', '8787']);
 * ```
 *
 * Exit codes: 0 for success, 1 for a failure, 2 for an invalid command line or configuration.
 */
export { runCli } from './cli/run.ts';
