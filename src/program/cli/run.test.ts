import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogFor, readConfigFrom } from './configured.ts';
import { runCaptured } from './testing.ts';
import { readVersion } from './version.ts';

test('runCli shows the version and help on standard output', async () => {
  for (const written of ['--version', '-v', 'version']) {
    assert.deepEqual(await runCaptured(written), { code: 0, stdout: `${readVersion()}\n`, stderr: '' });
  }
  for (const written of ['help', '--help', '-h']) {
    const { code, stdout } = await runCaptured(written);
    assert.equal(code, 0);
    assert.match(stdout, /^ {2}dev \[path\] +Run a Worker/m);
    assert.match(stdout, /^ {2}objects scrub /m);
  }
  for (const written of [
    ['dev', '--help'],
    ['help', 'dev'],
    ['dev', 'somewhere', '-h'],
  ]) {
    assert.match(
      (await runCaptured(...written)).stdout,
      /^Usage: gatehouse dev \[path\] \[options\]\n[^]*--persist-to/,
    );
  }
  for (const written of [
    ['objects', '--help'],
    ['help', 'objects'],
  ]) {
    const { code, stdout } = await runCaptured(...written);
    assert.equal(code, 0);
    assert.match(stdout, /^ {2}objects list /m);
    assert.doesNotMatch(stdout, /^ {2}dev /m);
  }
  assert.match(
    (await runCaptured('objects', 'restore', '--help')).stdout,
    /<class> <name-or-id> \[bookmark\]/,
  );
});

test('runCli answers a wrong command line with exit code 2 and what to do', async () => {
  const cases: [string[], RegExp][] = [
    [[], /^Usage: gatehouse <command>/],
    [['dve'], /^gatehouse: there is no command dve: did you mean dev\? \(gatehouse help lists them\)\n$/],
    [
      ['objects'],
      /objects needs one of list, get, sql, alarms, alarm run, alarm cancel, put, delete, history, restore, export, import, move-in, scrub, repair\n$/,
    ],
    [['objects', 'lst'], /repair: lst\n$/],
    [['dev', '--port', '70000'], /--port must be a whole number from 0 to 65535: 70000\n$/],
    [['dev', '--cluster-listen', '10.0.0.1:7400'], /--cluster-listen needs --cluster\n$/],
    [['dev', '--cluster', 'postgres://h/d', '--hosts', '2'], /--cluster and --hosts exclude each other/],
    [['dev', '--cluster', 'postgres://h/d', '--cluster-listen', ':x'], /takes an address and a port: :x\n$/],
    [['serve', 'something'], /serve takes no more arguments: something\n$/],
    [['objects', 'export', 'Room', 'a'], /objects export needs <file.sqlite>\n$/],
    [['objects', 'restore', 'Room', 'a'], /needs a bookmark or --time, and not both\n$/],
    [['objects', 'restore', 'Room', 'a', '--time', 'noon'], /--time must be a time such as/],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await runCaptured(...args);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, message);
  }
});

test('runCli answers a failure with exit code 1 and a message without a stack', async () => {
  const cases: [string[], RegExp][] = [
    [['explain', 'x', '--ready-file', '/does/not/exist'], /^gatehouse: [^\n]*\/does\/not\/exist[^\n]*\n$/],
    [
      ['objects', 'list', '--data', '/does/not/exist'],
      /^gatehouse: there are no objects in \/does\/not\/exist: choose their directory with --data\n$/,
    ],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await runCaptured(...args);
    assert.equal(code, 1);
    assert.match(stderr, message);
  }
});

test('runCli shows the commands of a group when asked for help with it', async () => {
  for (const args of [
    ['objects', '--help'],
    ['help', 'objects'],
    ['expr', '-h'],
  ]) {
    const { code, stdout } = await runCaptured(...args);
    assert.equal(code, 0, args.join(' '));
    assert.match(stdout, args.includes('expr') ? /expr format/ : /objects restore/);
    assert.doesNotMatch(stdout, /gatehouse serve|^ {2}dev/m);
  }
});

test('createLogFor listens to rejections once for a process, however many programs start in it', () => {
  const config = readConfigFrom({ positionals: [], values: {}, repeated: {}, switches: new Set() });
  const count = (): number => process.listenerCount('unhandledRejection');
  createLogFor(config);
  const before = count();
  for (let program = 0; program < 20; program++) createLogFor(config);
  assert.equal(count(), before);
});
