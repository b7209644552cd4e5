/**
 * Every common client, with every spelling of a private address, through every door: what a Worker can reach. Prints a
 * table, and fails if a forbidden attempt succeeded.
 *
 *     npm run verify -- doors
 *     GATEHOUSE_TEST_DATABASE=postgres://… npm run verify -- doors     # `serve` as a host of a cluster
 */
import { deepEqual } from 'node:assert/strict';
import { after, test } from 'node:test';
import { doors } from '../test/outbound/doors.ts';
import { type Cell, listLeaks, tryOwn, tryTarget } from '../test/outbound/matrix.ts';
import { Target } from '../test/outbound/target.ts';
import { temporary } from '../test/server/gatehouse.ts';

const isClustered = process.env['GATEHOUSE_TEST_DATABASE'] !== undefined;
const columns = new Map<string, readonly Cell[]>();

test('gatehouse dev', async (t) => {
  const target = await Target.start(t, temporary(t));
  const door = await doors.dev(t, 'all');
  columns.set('`dev`', await tryTarget(door, target, { places: 'of this machine', withWays: false }));
});

for (const from of ['/', '/object'] as const) {
  const name = from === '/' ? 'run' : 'run, two object hosts';
  test(`gatehouse ${name}`, async (t) => {
    const target = await Target.start(t, temporary(t));
    const door = await doors[name](t, 'all');
    await keep(
      from === '/' ? '`run`' : '`run`, in an object',
      tryTarget(door, target, { places: 'all', from }),
    );
  });
}

test('gatehouse serve', async (t) => {
  const target = await Target.start(t, temporary(t));
  const door = await doors.serve(t, 'all');
  await keep(isClustered ? '`serve`, cluster' : '`serve`', tryTarget(door, target, { places: 'all' }));
});

for (const name of ['run, private networks', 'serve, private networks'] as const) {
  test(`gatehouse ${name}: its own listeners`, async (t) => {
    const target = await Target.start(t, temporary(t));
    const door = await doors[name](t, 'all');
    await keep(`\`${name.split(',')[0]}\`, own listeners`, tryOwn(door, target));
  });
}

async function keep(name: string, trying: Promise<readonly Cell[]>): Promise<void> {
  const cells = await trying;
  columns.set(name, cells);
  deepEqual(listLeaks(cells), []);
}

after(() => {
  const clients = new Set([...columns.values()].flatMap((cells) => cells.map(({ client }) => client)));
  const lines = [
    ['', ...columns.keys()],
    ['---', ...Array.from(columns, () => '---')],
  ];
  for (const client of clients)
    lines.push([client, ...Array.from(columns.values(), (cells) => sum(cells, client))]);
  console.log(lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n'));
});

/** How many tries of a client were refused, of how many. */
function sum(cells: readonly Cell[], client: string): string {
  const tried = cells.filter((cell) => cell.client === client).flatMap((cell) => cell.tried);
  if (tried.length === 0) return '–';
  const arrived = cells.filter((cell) => cell.client === client).some((cell) => cell.arrived > 0);
  const refused = tried.filter(([, outcome]) => outcome !== 'reached').length;
  return refused === tried.length && !arrived ? `refused ${refused}` : 'reached';
}
