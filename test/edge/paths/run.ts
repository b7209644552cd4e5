/**
 * `npm run verify -- paths`: the table of paths against servers that are not npm packages. It needs nginx, Java 17 and
 * Maven; the names of servers on the command line run only those. Exits with 1 if a path bypasses a rule that should
 * match it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServedEdge } from '../served-edge.ts';
import { pathForms } from './path-forms.ts';
import { writeFiles } from './path-origins.ts';
import { addRules, findPassed, PathSender, setOrigin } from './path-table.ts';
import { serverOrigins } from './server-origins.ts';

const wanted = process.argv.slice(2);
const targets = pathForms.map(({ target }) => target);
const directory = await mkdtemp(join(tmpdir(), 'gatehouse-paths-'));
const files = join(directory, 'files');
await writeFiles(files);
let passedCount = 0;
{
  await using served = await ServedEdge.open();
  await addRules(served);
  for (const [name, start] of Object.entries(serverOrigins)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await using origin = await start({ directory, files });
    let reached = 0;
    {
      using direct = new PathSender(Number(new URL(origin.url).port), 'localhost');
      for (const target of targets) if ((await direct.send(target)).isProtectedServed) reached++;
    }
    await setOrigin(served, origin.url);
    const passed = await findPassed(served, targets);
    passedCount += passed.length;
    console.log(
      `${name}: ${reached} of ${targets.length} paths reach what is protected, ${passed.length} through the edge`,
    );
    for (const each of passed) console.log(`  ${each}`);
  }
}
await rm(directory, { recursive: true });
process.exitCode = passedCount === 0 ? 0 : 1;
