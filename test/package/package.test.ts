/**
 * What users get: the files of `npm pack` from the view of a project that installs them, and the contents of the
 * container file and the systemd unit. `npm run verify -- executable` builds and runs the single file, its image and
 * its Debian package.
 */
import { deepEqual, equal, match } from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readVersion } from '../../src/program/cli/version.ts';
import { buildDashboard } from '../../tools/build-dashboard.ts';
import { prepareProjects, runProject } from '../../vitest/run-project.ts';
import { BuiltStages, listOf, type Stage } from './containerfile.ts';
import { checkSettings, image, readEnvironment, stages } from './image.ts';
import { PackedProject, root } from './packed-project.ts';

await buildDashboard({ ifStale: true });
const built = new BuiltStages(root, [onlyPackage(stages[0]!)]);
after(() => built[Symbol.dispose]());
const build = join(built.root('build'), 'build');
// As `gatehouse dev examples` leaves it.
mkdirSync(join(build, 'examples/.gatehouse/state'), { recursive: true });
writeFileSync(join(build, 'examples/.gatehouse/state/journal.log'), 'objects of the one who packs');
const project = PackedProject.install(build);
after(() => project[Symbol.dispose]());

/**
 * Up to the stage with the sources, and then the package instead of the executable, which `npm run verify --
 * executable` builds. `npm run check` checks the types.
 */
function onlyPackage(stage: Stage): Stage {
  const copied = stage.instructions.findLastIndex(({ name }) => name === 'COPY');
  const build = { name: 'RUN', flags: {}, text: 'npm run --silent build -- --no-check' };
  return { ...stage, instructions: [...stage.instructions.slice(0, copied + 1), build] };
}

const unit = readFileSync(join(root, 'examples/systemd/gatehouse.service'), 'utf8');

test('Containerfile builds from npm and tagged base images, and its image runs without privileges', () => {
  match(stages[0]!.image, /^docker\.io\/library\/node:[\w.-]*bookworm$/);
  equal(image.image, 'scratch');
  for (const stage of stages) {
    for (const { text } of listOf(stage, 'RUN')) match(text, /^npm (?:ci|run) /);
    deepEqual(listOf(stage, 'ADD'), []);
  }
  deepEqual(listOf(image, 'RUN'), []);
  match(listOf(image, 'USER')[0]!.text, /^[1-9]\d+:[1-9]\d+$/);
  deepEqual(JSON.parse(listOf(image, 'VOLUME')[0]!.text), ['/var/lib/gatehouse', '/tmp']);
  checkSettings(Object.keys(readEnvironment()));
});

test('gatehouse.service names only settings that exist, and systemd finds nothing wrong with it', async (t) => {
  checkSettings([...unit.matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name]) => name!));
  for (const line of [
    'DynamicUser=yes',
    'ProtectSystem=strict',
    'NoNewPrivileges=yes',
    'StateDirectory=gatehouse',
  ])
    match(unit, new RegExp(`^${line}$`, 'm'));
  const [, ...words] = /^ExecStart=(.*)$/m.exec(unit)![1]!.split(' ');
  deepEqual(words, ['serve', '--config', '/etc/gatehouse/gatehouse.toml']);
  // Not on every machine.
  if (!existsSync('/usr/bin/systemd-analyze')) return;
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-unit-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'gatehouse.service');
  writeFileSync(file, unit.replace('/usr/local/bin/gatehouse', join(root, 'gatehouse')));
  const analyze = (...args: string[]): Promise<string> =>
    new Promise((resolve) => {
      execFile('/usr/bin/systemd-analyze', [...args, file], (error, stdout, stderr) =>
        resolve(error === null ? '' : `${stdout}${stderr}`),
      );
    });
  equal(await analyze('verify', '--man=no'), '');
  equal(await analyze('security', '--offline=yes', '--threshold=20', '--no-pager'), '');
});

const compiler = join(root, 'node_modules/typescript/bin/tsc');

/** The example of docs/build/objects.md. */
function libraryExample(): string {
  const page = readFileSync(join(root, 'docs/build/objects.md'), 'utf8');
  return /```ts\n(import .*?'gatehouse\/objects';\n.*?)```/s.exec(page)![1]!;
}

test('npm pack builds what it packs', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  equal(scripts.prepack, 'npm run build');
});

test('npm pack contains JavaScript, declarations, the dashboard and the documentation, and no tests', () => {
  const isPage = (file: string): boolean => file.startsWith('dist/dashboard/');
  const code = project.files.filter((file) => file.startsWith('dist/') && !isPage(file));
  equal(project.files.includes('dist/dashboard/index.html'), true);
  deepEqual(
    code.filter((file) => !/\.(?:js|d\.ts|json)$/.test(file)),
    [],
  );
  // `gatehouse/testing` is for the tests of users.
  const isDoor = (file: string): boolean => file.startsWith('dist/package/testing.');
  deepEqual(
    project.files.filter((file) => /\.test\.|testing\.|testdata/.test(file) && !isDoor(file)),
    [],
  );
  deepEqual(
    project.files.filter((file) =>
      /^(?:src|test|tools|bench|conformance|out)\/|\.(?:png|webp)$|(?:^|\/)\.gatehouse\//.test(file),
    ),
    [],
  );
  const doors = readFileSync(
    join(project.directory, 'node_modules/gatehouse/dist/src/runtime/objects.js'),
    'utf8',
  );
  equal(/['"]#/.test(doors), false);
});

for (const [resolution, module] of [
  ['nodenext', 'nodenext'],
  ['bundler', 'preserve'],
] as const) {
  test(`the example of docs/build/objects.md passes the strict type check with the resolution ${resolution}`, async () => {
    writeFileSync(join(project.directory, 'app.ts'), libraryExample());
    writeFileSync(
      join(project.directory, 'doors.ts'),
      `export * as client from 'gatehouse/client';\nexport * as edge from 'gatehouse/edge';\nexport * as rules from 'gatehouse/rules';\nexport * as testing from 'gatehouse/testing';\n`,
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
    deepEqual(await project.run(process.execPath, compiler, '--singleThreaded'), {
      code: 0,
      stdout: '',
      stderr: '',
    });
  });
}

test('the example of docs/build/objects.md runs', async () => {
  writeFileSync(join(project.directory, 'app.ts'), libraryExample());
  const [first, second] = [
    await project.run(process.execPath, 'app.ts'),
    await project.run(process.execPath, 'app.ts'),
  ];
  deepEqual(
    [first, second],
    [
      { code: 0, stdout: '1 2\n2\n', stderr: '' },
      { code: 0, stdout: '3 4\n4\n', stderr: '' },
    ],
  );
});

test('gatehouse/client, gatehouse/edge, gatehouse/objects, gatehouse/rules and gatehouse/testing export what their sources do', async () => {
  const list = (door: string): string => `console.log(Object.keys(await import('${door}')).sort().join());`;
  const program = ['client', 'edge', 'objects', 'rules', 'testing']
    .map((door) => list(`gatehouse/${door}`))
    .join('');
  writeFileSync(join(project.directory, 'doors.mjs'), program);
  const { code, stdout, stderr } = await project.run(process.execPath, 'doors.mjs');
  deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const doors = [
    await import('#client'),
    await import('#edge'),
    await import('#objects'),
    await import('../../package/rules.ts'),
    await import('../../package/testing.ts'),
  ];
  deepEqual(
    stdout.trim().split('\n'),
    doors.map((door) => Object.keys(door).sort().join()),
  );
});

test('gatehouse/vitest runs test files in a thread that loads a bundle', async (t) => {
  const modules = join(root, 'node_modules');
  symlinkSync(join(modules, 'vitest'), join(project.directory, 'node_modules/vitest'));
  const into = mkdtempSync(join(tmpdir(), 'gatehouse-packed-vitest-'));
  t.after(() => rmSync(into, { recursive: true }));
  const own = join(project.directory, 'node_modules/gatehouse/dist/package/vitest.js');
  const [folder] = prepareProjects(join(root, 'vitest/examples'), { side: 'gatehouse', into, modules, own });
  const { report, output } = await runProject(folder!, { modules });
  const tests = report?.files.flatMap((file) => file.tests) ?? [];
  equal(tests.length, 12, output);
  deepEqual(
    tests.filter(({ state }) => state !== 'passed'),
    [],
  );
  const thread = join(project.directory, 'node_modules/gatehouse/dist/src/platform/vitest/thread');
  equal(/from ["']\.\.\//.test(readFileSync(join(thread, 'run-tests.js'), 'utf8')), false);
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
