/** `wrangler tail` from npm: its output for a call, and that it exits. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { eventually } from '../test/eventually.ts';
import { domain, UploadSite } from '../test/wrangler/upload-site.ts';
import { Project } from './project.ts';

for (const packageName of ['wrangler', 'wrangler-older']) {
  test(`${packageName} tail prints what each call logs, throws and answers`, async (t) => {
    const site = await UploadSite.start(t);
    const project = new Project(t, site, { packageName });
    project.write({
      'wrangler.json': { name: 'loud', main: 'index.js', compatibility_date: '2026-03-01' },
      'index.js': `export default { fetch(request) {
        console.log('asked', { for: new URL(request.url).pathname });
        if (request.url.endsWith('/throws')) throw new Error('it broke');
        return new Response('done');
      } };`,
    });
    await project.succeed('deploy');
    const follow = async (args: readonly string[], path: string, isThere: (said: string) => boolean) => {
      const tail = project.start(['tail', ...args]);
      let said = '';
      tail.stdout!.on('data', (bytes: Buffer) => (said += bytes.toString()));
      await eventually(
        async () => {
          await site.ask(`loud.${domain}`, path);
          return isThere(said);
        },
        `tail ${args.join(' ')} prints the call`,
      );
      tail.kill('SIGINT');
      await once(tail, 'exit');
      return said;
    };
    const pretty = await follow(['--format', 'pretty'], '/a', (said) => said.includes("for: '/a'"));
    match(pretty, /GET http:\/\/loud\.workers\.example\/a - Ok @/);
    const json = await follow(['--format', 'json', '--status', 'error'], '/throws', (said) =>
      /\n}\s*$/.test(said),
    );
    const [event] = JSON.parse(`[${json.replaceAll(/^}\s*^{/gm, '},{')}]`);
    deepEqual([event.outcome, event.exceptions[0].message], ['exception', 'it broke']);
    await eventually(async () => (await site.call('GET W/loud/tails')).result.length === 0, 'nobody follows');
    equal((await project.run('tail none-such')).code, 1);
  });
}
