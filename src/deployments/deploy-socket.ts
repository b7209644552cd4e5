/**
 * How operators ask a running program for another version of a Worker: a socket in the data directory that only the user of
 * the program and root can open. A request is one line of JSON, and so is its answer.
 */
import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { connectPrivately, listenPrivately, type Log, StartError } from '#base';
import { DeployError, type DeployedWorker } from './deployed-worker.ts';
import { deployClientsMax, deployMessageBytesMax } from './limits.ts';
import type { Version } from './version-store.ts';

const socketName = 'deploy.sock';

export type DeployRequest =
  | {
      readonly do: 'deploy';
      /** Absolute; the project of the last deployment if undefined. */
      readonly path?: string | undefined;
      readonly environment?: string | undefined;
      /** Absolute paths of Workers that run beside it. */
      readonly workers?: readonly string[] | undefined;
    }
  | { readonly do: 'roll back'; readonly version?: number | undefined }
  | { readonly do: 'list' };

export interface DeployedVersions {
  readonly current: number;
  readonly versions: readonly Version[];
  /** Whether the request has changed what runs. */
  readonly isChanged: boolean;
}

type Answer = { readonly result: DeployedVersions } | { readonly problem: string };

export class DeployListener {
  readonly #server: Server;
  readonly #path: string;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, path: string) {
    this.#server = server;
    this.#path = path;
  }

  static async start(
    worker: DeployedWorker,
    { directory, log }: { readonly directory: string; readonly log: Log },
  ): Promise<DeployListener> {
    const server = createServer((socket) => {
      listener.#sockets.add(socket);
      socket.once('close', () => listener.#sockets.delete(socket));
      void serve(socket, worker, log);
    });
    server.maxConnections = deployClientsMax;
    const listener = new DeployListener(server, join(directory, socketName));
    await listenPrivately(server, { directory, name: socketName });
    server.unref();
    return listener;
  }

  close(): void {
    rmSync(this.#path, { force: true });
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Undefined if no program serves the Worker of this directory. Throws a `DeployError` if it refuses. */
export async function askDeployer(
  directory: string,
  request: DeployRequest,
): Promise<DeployedVersions | undefined> {
  const socket = await connectPrivately({ directory: resolve(directory), name: socketName });
  if (socket === undefined) return undefined;
  try {
    socket.write(`${JSON.stringify(request)}\n`);
    const line = await readLine(socket);
    if (line === undefined) throw new DeployError('the program has ended before it answered');
    const answer = JSON.parse(line) as Answer;
    if ('problem' in answer) throw new DeployError(answer.problem);
    return answer.result;
  } finally {
    socket.destroy();
  }
}

async function serve(socket: Socket, worker: DeployedWorker, log: Log): Promise<void> {
  socket.on('error', () => {});
  try {
    const line = await readLine(socket);
    if (line === undefined) return;
    const answer = await answerRequest(line, worker, log);
    socket.end(`${JSON.stringify(answer)}\n`);
  } catch (error) {
    log.warn('a request for a deployment failed', { error });
    socket.destroy();
  }
}

async function answerRequest(line: string, worker: DeployedWorker, log: Log): Promise<Answer> {
  try {
    const isChanged = await run(readRequest(line), worker);
    return { result: { current: worker.current.number, versions: worker.list(), isChanged } };
  } catch (error) {
    if (!(error instanceof DeployError) && !(error instanceof StartError)) throw error;
    log.error('could not deploy a Worker', { reason: error.message });
    return { problem: error.message };
  }
}

async function run(request: DeployRequest, worker: DeployedWorker): Promise<boolean> {
  switch (request.do) {
    case 'list':
      return false;
    case 'roll back':
      return (await worker.rollBack(request.version)).isNew;
    case 'deploy': {
      const { path, environment, workers = [] } = request;
      return (await worker.deploy(path === undefined ? undefined : { path, environment, workers })).isNew;
    }
  }
}

/** Throws a `DeployError` for anything else. */
function readRequest(line: string): DeployRequest {
  const given = parse(line);
  const { do: what, path, environment, workers = [], version } = given;
  const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
  const isNumber = version === undefined || Number.isSafeInteger(version);
  const isKnown = what === 'list' || what === 'roll back' || what === 'deploy';
  const isList = Array.isArray(workers) && workers.every((each) => typeof each === 'string');
  if (!isKnown || !isText(path) || !isText(environment) || !isList || !isNumber) {
    throw new DeployError('this is no request for a deployment');
  }
  return given as unknown as DeployRequest;
}

function parse(line: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(line)) as Readonly<Record<string, unknown>>;
  } catch {
    throw new DeployError('this is no request for a deployment: it is not JSON');
  }
}

/** Undefined if the other side ends or sends too much before. */
async function readLine(socket: Socket): Promise<string | undefined> {
  const { promise, resolve: found } = Promise.withResolvers<string | undefined>();
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (piece: string) => {
    text += piece;
    const end = text.indexOf('\n');
    if (end >= 0) found(text.slice(0, end));
    else if (text.length > deployMessageBytesMax) found(undefined);
  });
  socket.once('close', () => found(undefined));
  socket.once('end', () => found(undefined));
  socket.once('error', () => found(undefined));
  return await promise;
}
