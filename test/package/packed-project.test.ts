/** What `npm pack` makes, as a project that installs it sees it. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readVersion } from '../../src/cli/version.ts';
import { PackedProject, root } from './packed-project.ts';

const project = PackedProject.install();
after(() => project[Symbol.dispose]());

const compiler = join(root, 'node_modules/typescript/bin/tsc');

/** The example of README.md. */
function libraryExample(): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  return /```ts\n(import .*?'gatehouse\/objects';\n.*?)```/s.exec(readme)![1]!;
}

test('npm pack contains JavaScript, declarations, source maps and the dashboard, and no tests', () => {
  const isPage = (file: string): boolean => file.startsWith('dist/dashboard/');
  const code = project.files.filter((file) => file.startsWith('dist/') && !isPage(file));
  equal(project.files.includes('dist/dashboard/index.html'), true);
  deepEqual(
    code.filter((file) => !/\.(?:js|d\.ts|js\.map|json)$/.test(file)),
    [],
  );
  deepEqual(
    project.files.filter((file) => /\.test\.|testing\.|testdata/.test(file)),
    [],
  );
  deepEqual(
    project.files.filter((file) => /^(?:src|test|tools|bench|conformance)\//.test(file)),
    [],
  );
  const doors = readFileSync(join(project.directory, 'node_modules/gatehouse/dist/src/objects.js'), 'utf8');
  equal(/['"]#/.test(doors), false);
});

for (const [resolution, module] of [
  ['nodenext', 'nodenext'],
  ['bundler', 'preserve'],
] as const) {
  test(`the example of README.md passes the strict type check with the resolution ${resolution}`, async () => {
    writeFileSync(join(project.directory, 'app.ts'), libraryExample());
    writeFileSync(
      join(project.directory, 'doors.ts'),
      `export * as edge from 'gatehouse/edge';\nexport * as rules from 'gatehouse/rules';\n`,
    );
    writeFileSync(join(project.directory, 'package.json'), '{ "type": "module" }');
    const options = {
      compilerOptions: {
        target: 'esnext',
        lib: ['esnext'],
        module,
        moduleResolution: resolution,
        strict: true,
        noEmit: true,
        types: ['node'],
      },
      include: ['*.ts'],
    };
    writeFileSync(join(project.directory, 'tsconfig.json'), JSON.stringify(options));
    deepEqual(await project.run(process.execPath, compiler), { code: 0, stdout: '', stderr: '' });
  });
}

test('the example of README.md runs', async () => {
  writeFileSync(join(project.directory, 'app.ts'), libraryExample());
  const [first, second] = [
    await project.run(process.execPath, 'app.ts'),
    await project.run(process.execPath, 'app.ts'),
  ];
  deepEqual(
    [first, second],
    [
      { code: 0, stdout: '1\n', stderr: '' },
      { code: 0, stdout: '2\n', stderr: '' },
    ],
  );
});

test('gatehouse/edge, gatehouse/objects and gatehouse/rules export what their sources do', async () => {
  const list = (door: string): string => `console.log(Object.keys(await import('${door}')).sort().join());`;
  const program = ['edge', 'objects', 'rules'].map((door) => list(`gatehouse/${door}`)).join('');
  writeFileSync(join(project.directory, 'doors.mjs'), program);
  const { code, stdout, stderr } = await project.run(process.execPath, 'doors.mjs');
  deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const doors = [await import('#edge'), await import('#objects'), await import('../../package/rules.ts')];
  deepEqual(
    stdout.trim().split('\n'),
    doors.map((door) => Object.keys(door).sort().join()),
  );
});

test('gatehouse runs from node_modules/.bin', async () => {
  const outcome = await project.run('node_modules/.bin/gatehouse', '--version');
  deepEqual(outcome, { code: 0, stdout: `${readVersion()}\n`, stderr: '' });
});

test('gatehouse dev serves a copy of the examples that come along', async (t) => {
  const examples = join(project.directory, 'examples');
  cpSync(join(project.directory, 'node_modules/gatehouse/examples'), examples, { recursive: true });
  const args = ['dev', 'examples', '--port', '0'];
  const dev = spawn('node_modules/.bin/gatehouse', args, {
    cwd: project.directory,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(() => dev.kill('SIGKILL'));
  const ready = Promise.withResolvers<string>();
  let said = '';
  dev.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    const [, found] = /on (http:\/\/\S+?)\.?\s/.exec(said) ?? [];
    if (found !== undefined) ready.resolve(found);
  });
  dev.on('exit', () => ready.reject(new Error(`it ended after saying:\n${said}`)));
  const url = await ready.promise;
  const answer = await fetch(`${url}/counter/visits/increment`, { method: 'POST' });
  match(await answer.text(), /"value":1/);
  const exited = once(dev, 'exit');
  dev.kill('SIGTERM');
  deepEqual(await exited, [0, null]);
});
