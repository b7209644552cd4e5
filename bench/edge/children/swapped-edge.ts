/**
 * An edge whose zone gets one configuration after the other while requests arrive; each blocks everything and returns
 * its version. Prints its port; `pause` before it measures its memory and `resume` afterwards, twice; and the memory.
 *
 *     node --expose-gc bench/edge/children/swapped-edge.ts <number of swaps>
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Edge } from '../../../src/traffic/edge.ts';
import { entryPointOf, zoneOf } from '../zones.ts';

const swaps = Number(process.argv[2]);
/** The heap is compared after all one-time allocations. */
const swapsBefore = Math.floor(swaps / 10);
const edge = await Edge.start({
  listeners: [{ port: 0 }],
  secret: Buffer.alloc(32, 1),
  writeEvents: async () => {},
});

function swap(version: number): void {
  const response = { status_code: 403, content: `version ${version}`, content_type: 'text/plain' } as const;
  const block = entryPointOf('http_request_firewall_custom', {
    expression: `http.request.uri.path ne "/version-${version}"`,
    action: 'block',
    action_parameters: { response },
  });
  const zone = zoneOf({ managed: true }, 1);
  if (edge.update({ ...zone, version, entryPoints: [block, ...zone.entryPoints] }) === undefined)
    throw new Error(`version ${version} was not taken`);
}

/** While no request is in progress and no event waits. */
async function heapBytes(): Promise<number> {
  console.log('pause');
  for (let before = -1; before !== edge.stats().events.recorded; await sleep(200)) {
    before = edge.stats().events.recorded;
  }
  await edge.flushEvents();
  for (let turn = 0; turn < 4; turn++) {
    globalThis.gc!();
    await nextTurn();
  }
  const { heapUsed } = process.memoryUsage();
  console.log('resume');
  return heapUsed;
}

async function swapAll(first: number, last: number): Promise<void> {
  for (let version = first; version <= last; version++) {
    swap(version);
    await nextTurn();
  }
}

swap(1);
edge.complete();
console.log(edge.addresses[0]!.port);
while (edge.stats().events.recorded === 0) await nextTurn();
await swapAll(2, swapsBefore);
const heapBytesBefore = await heapBytes();
const startedMs = performance.now();
await swapAll(swapsBefore + 1, swaps + swapsBefore);
const elapsedMs = performance.now() - startedMs;
const heapBytesAfter = await heapBytes();
console.log(JSON.stringify({ swaps, elapsedMs, heapBytesBefore, heapBytesAfter }));
