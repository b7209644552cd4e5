/** Two ends of a link in one process, over a real socket: for tests. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type Socket, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Capability } from '../capability.ts';
import type { Address } from '../reference.ts';
import type { Side } from '../side.ts';
import { type LinkEntry, Link } from './link.ts';

interface Ends {
  /** The entry points that the far end serves, by address. */
  readonly entry: (address: Address) => LinkEntry;
  /** Creates the stub of an address that is passed from one end to the other. */
  readonly createEntryStub?: (address: Address, holder: Side) => object;
}

export interface Links {
  readonly near: Link;
  readonly far: Link;
  readonly nearSocket: Socket;
}

/** The entry point for a capability. */
export function entryOf(
  capability: Capability,
  fetch: (request: Request) => Promise<Response> = () => Promise.reject(new Error('there is no fetch()')),
): LinkEntry {
  return {
    hold: () => {},
    release: () => {},
    call: (...args) => capability.call(...args),
    fetch: (_holder, request) => fetch(request),
  };
}

export async function openLinks(
  t: { after(callback: () => void): void },
  { entry, createEntryStub = refuse }: Ends,
): Promise<Links> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-link-'));
  const server = createServer();
  server.listen(join(directory, 'socket'));
  await once(server, 'listening');
  const nearSocket = connect(join(directory, 'socket'));
  const [farSocket] = (await once(server, 'connection')) as [Socket];
  const near = new Link({ openEntry: refuse, createEntryStub });
  const far = new Link({ openEntry: entry, createEntryStub });
  far.attach(farSocket);
  // Like the link of a starting host: earlier calls wait.
  setImmediate(() => near.attach(nearSocket));
  t.after(() => {
    near.close();
    far.close();
    nearSocket.destroy();
    farSocket.destroy();
    server.close();
    rmSync(directory, { recursive: true });
  });
  return { near, far, nearSocket };
}

function refuse(): never {
  throw new Error('this end has no entry points');
}
