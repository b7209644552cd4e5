import assert from 'node:assert/strict';
import { test } from 'node:test';
import { absentFlags, fulfilledFlags, refusedFlags } from './compatibility-flags.ts';
import { type Compatibility, readCompatibility } from './compatibility.ts';
import { Section } from './section.ts';

function read(config: object): Compatibility & { readonly warnings: string[] } {
  const warnings: string[] = [];
  return { ...readCompatibility(new Section(config, 'wrangler.json'), 'wrangler.json', warnings), warnings };
}

test('readCompatibility decides about deleteAll by flag, then by date', () => {
  const cases: [object, boolean][] = [
    [{}, false],
    [{ compatibility_date: '2026-02-23' }, false],
    [{ compatibility_date: '2026-02-24' }, true],
    [{ compatibility_date: '2027-01-01' }, true],
    // TOML's type of a date without quotes.
    [{ compatibility_date: new Date('2026-02-24') }, true],
    [{ compatibility_flags: ['delete_all_deletes_alarm'] }, true],
    [{ compatibility_date: '2020-01-01', compatibility_flags: ['delete_all_deletes_alarm'] }, true],
    [{ compatibility_date: '2026-06-01', compatibility_flags: ['delete_all_preserves_alarm'] }, false],
    [{ compatibility_flags: [] }, false],
  ];
  for (const [config, expected] of cases) {
    const { deleteAllDeletesAlarm, warnings } = read(config);
    assert.deepEqual([deleteAllDeletesAlarm, warnings], [expected, []]);
  }
});

test('readCompatibility decides about empty fields by flag, then by date, and about extra handlers by flag', () => {
  const leavesOut = (config: object): boolean | undefined => read(config).leavesOutEmptyFields;
  assert.equal(leavesOut({}), true);
  assert.equal(leavesOut({ compatibility_date: '2025-12-02' }), true);
  assert.equal(leavesOut({ compatibility_date: '2025-12-03' }), false);
  assert.equal(leavesOut({ compatibility_flags: ['enable_fast_jsg_struct'] }), false);
  assert.equal(
    leavesOut({ compatibility_date: '2026-01-01', compatibility_flags: ['disable_fast_jsg_struct'] }),
    true,
  );
  assert.equal(read({ compatibility_date: '2030-01-01' }).hasExtraHandlers, false);
  assert.equal(read({ compatibility_flags: ['service_binding_extra_handlers'] }).hasExtraHandlers, true);
});

test('readCompatibility decides about sockets by flag, then by date', () => {
  const socketsOf = (config: object): object => read(config).sockets;
  const old = {
    repliesToClose: false,
    limitsCloseReason: false,
    binaryType: 'arraybuffer',
    compresses: false,
  };
  const newest = { repliesToClose: true, limitsCloseReason: true, binaryType: 'blob', compresses: true };
  assert.deepEqual(socketsOf({}), old);
  assert.deepEqual(socketsOf({ compatibility_date: '2026-01-01' }), { ...old, compresses: true });
  assert.deepEqual(socketsOf({ compatibility_date: '2026-04-07' }), newest);
  const compatibility_flags = [
    'web_socket_manual_reply_to_close',
    'no_websocket_close_reason_byte_limit',
    'no_websocket_standard_binary_type',
    'no_web_socket_compression',
  ];
  assert.deepEqual(socketsOf({ compatibility_date: '2026-04-07', compatibility_flags }), old);
  assert.deepEqual(read({ compatibility_flags }).warnings, []);
});

test('readCompatibility tells every flag that is not honoured, and says nothing of the others', () => {
  const { warnings } = read({
    compatibility_flags: [
      'nodejs_compat',
      'url_standard',
      'delete_all_deletes_alarm',
      'delete_all_deletes_alarms',
      'nodejs_compatt',
      'of_my_own_making',
      'url_original',
      'python_workers',
      'webgpu',
    ],
  });
  const at = 'wrangler.json: compatibility_flags: ';
  assert.deepEqual(warnings, [
    `${at}python_workers, webgpu have no effect: nothing here depends on them`,
    `${at}the flag delete_all_deletes_alarms is not known and ignored: did you mean delete_all_deletes_alarm?`,
    `${at}the flag nodejs_compatt is not known and ignored: did you mean nodejs_compat?`,
    `${at}the flag of_my_own_making is not known and ignored`,
    `${at}url_original is not honoured: Gatehouse behaves as with url_standard, whatever the flags say`,
  ]);
  assert.deepEqual(read({ compatibility_flags: ['rtti_api'] }).warnings, [
    `${at}rtti_api has no effect: nothing here depends on it`,
  ]);
});

test('readCompatibility refuses what contradicts itself and what is no date', () => {
  const cases: [object, RegExp][] = [
    [
      { compatibility_flags: ['delete_all_deletes_alarm', 'delete_all_preserves_alarm'] },
      /^wrangler.json: compatibility_flags has both delete_all_deletes_alarm and delete_all_preserves_alarm/,
    ],
    [
      { compatibility_flags: 'nodejs_compat' },
      /compatibility_flags must be a list of strings: "nodejs_compat"$/,
    ],
    [
      { compatibility_date: '2026-13-01' },
      /compatibility_date must be a date such as "2026-02-24": "2026-13-01"$/,
    ],
    [{ compatibility_date: '2026-02-30' }, /compatibility_date must be a date/],
    [{ compatibility_date: 'today' }, /compatibility_date must be a date .*: "today"$/],
    [{ compatibility_date: 20260224 }, /compatibility_date must be a date .*: 20260224$/],
    [{ compatibility_date: new Date(Number.NaN) }, /compatibility_date must be a date/],
  ];
  for (const [config, message] of cases) assert.throws(() => read(config), { name: 'ConfigError', message });
});

test('the flags of the table have one meaning each', () => {
  const all = [...fulfilledFlags, ...refusedFlags.keys(), ...absentFlags];
  assert.equal(new Set(all).size, all.length);
  assert.ok(all.every((flag) => /^[a-z0-9][a-z0-9_-]*$/.test(flag)));
  for (const [flag, instead] of refusedFlags) assert.ok(fulfilledFlags.has(instead), flag);
});
