/**
 * The entry of a `gatehouse dev` host: the objects of the Worker. An uncaught error ends only this host: its objects
 * restart from the state on disk.
 */
import type { HostModule } from '#hosts';
import { exportWorkerObjects, isThrownByWorker, prepareWorkerProcess } from '#workers';
import { exitCodes } from '../command.ts';
import { createTerminalLog, type TerminalLogOptions } from '../terminal/log.ts';

export type DevHostData = Pick<TerminalLogOptions, 'format'>;

prepareWorkerProcess();
let terminal = createTerminalLog({ format: 'text', requests: 'quiet' });

export const createLog: HostModule['createLog'] = (data) => {
  terminal = createTerminalLog({ ...(data as DevHostData), requests: 'quiet' });
  process.on('unhandledRejection', (reason) => terminal.error(reason));
  process.on('uncaughtException', (error) => {
    terminal.error(error);
    if (!isThrownByWorker(error)) process.exit(exitCodes.failure);
  });
  return (message, error) => (error === undefined ? terminal.error(message) : terminal.error(error, message));
};

export const { classes, createEnv } = exportWorkerObjects((error) => terminal.error(error));
