/**
 * The program around the rooms: listeners, configuration, health, metrics, the log, certificates.
 *
 * ```ts
 * const config = readConfig({ flags: { port: '0' }, environment: process.env, directory: process.cwd() });
 * const Program = await loadProgram();
 * await using program = await Program.start({ config, log, version: '1.0.0' });
 * console.log(program.ready.api); // http://127.0.0.1:40123/client/v4
 * ```
 */
export { type Config, ConfigurationError, readConfig } from './server/config/read-config.ts';
export { keepPorts, type Ports, readPorts } from './server/config/keep-ports.ts';
export { settingFlags, showConfig } from './server/config/show-config.ts';
export { type ApiServer, serveApi } from './server/api/api-server.ts';
export { type Client, clients, writeClientSetup, type Reachable } from './server/client-setup.ts';
export type { MoveOptions, MoveResult } from './server/cluster/move-data.ts';
export { claimDataDirectory } from './server/data-directory.ts';
export type { RunProgram } from './server/workers/run-program.ts';
export type { EdgeProgram } from './server/edge/edge-program.ts';
export {
  loadDirectoryMoves,
  loadEdgeProgram,
  loadOperatorHandlers,
  loadOwnerRenewal,
  loadProgram,
  loadRunProgram,
} from './server/load-parts.ts';
export type { ServeProgram } from './server/program.ts';
export { readReady, type Ready } from './server/ready/ready-file.ts';
