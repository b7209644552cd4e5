import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { VirtualClock } from '#base';
import { sampleText } from '#text';
import { formOf, idsOf, judge, load, requestOf } from '../testing.ts';
import { PersistentCollections } from './persistent-collections.ts';
import { runResponse } from './run-phase.ts';

test('a chain matches when all of its rules do; actions of those before a miss are done all the same', () => {
  const rules = load(`
SecRule ARGS:a "@rx ^x" "id:1,phase:2,deny,setvar:tx.seen=1,chain"
SecRule ARGS:b "@rx ^y" "chain"
SecRule ARGS:c "@rx ^z" "setvar:tx.all=1"
SecRule TX:seen "@eq 1" "id:2,phase:2,pass"
`);
  assert.deepEqual(idsOf(judge(rules, formOf('a=x&b=y&c=n'))), [2]);
  assert.equal(judge(rules, formOf('a=x&b=y&c=z')).interruption?.rule.id, 1);
});

test('skipAfter goes on behind its marker or rule, skip passes over so many rules', () => {
  const rules = load(`
SecAction "id:1,phase:2,nolog,pass,skipAfter:END"
SecAction "id:2,phase:2,pass"
SecMarker END
SecAction "id:3,phase:2,pass,skip:1"
SecAction "id:4,phase:2,pass"
SecAction "id:5,phase:2,pass,skipAfter:7"
SecAction "id:6,phase:2,pass"
SecAction "id:7,phase:2,pass"
SecAction "id:8,phase:2,pass"
`);
  assert.deepEqual(idsOf(judge(rules, requestOf())), [3, 5, 8]);
});

test('setvar assigns, adds for each value that matches, subtracts and removes; macros are expanded', () => {
  const rules = load(`
SecAction "id:1,phase:1,nolog,pass,setvar:tx.step=5,setvar:tx.gone=1,setvar:!tx.gone,setvar:tx.flag"
SecRule ARGS "@rx bad" "id:2,phase:2,nolog,pass,setvar:'tx.score=+%{tx.step}',setvar:tx.minus=-1"
SecRule TX:score "@eq 10" "id:3,phase:2,pass,msg:'score %{tx.score} of %{ARGS.a} and %{tx.minus}, %{rule.id}'"
SecRule &TX:gone "@eq 0" "id:4,phase:2,pass"
SecRule &TX:/^(?:flag|step)$/ "@eq 2" "id:5,phase:2,pass"
`);
  const transaction = judge(rules, formOf('a=bad1&b=bad2&c=good'));
  assert.deepEqual(idsOf(transaction), [3, 4, 5]);
  assert.equal(transaction.matched[0]!.message, 'score 10 of bad1 and -2, 3');
});

test('capture stores groups; MATCHED_VAR and its kin name what matched', () => {
  const rules = load(`
SecRule ARGS "@rx (b)(x)?(c)" "id:1,phase:2,pass,capture,logdata:'%{tx.0}|%{tx.1}|%{tx.2}|%{tx.3} in %{MATCHED_VAR_NAME}=%{MATCHED_VAR}',chain"
SecRule MATCHED_VARS_NAMES "@streq ARGS:k" "t:none"
`);
  const [found] = judge(rules, formOf('k=abcd')).matched;
  assert.equal(found!.data, 'bc|b||c in MATCHED_VARS_NAMES:ARGS:k=ARGS:k');
  assert.deepEqual(found!.values[0], { name: 'ARGS:k', value: 'abcd' });
});

test('multiMatch looks at the value after each transformation', () => {
  const text = (extra: string): string =>
    `SecRule ARGS "@streq %41" "id:1,phase:2,pass,t:none,t:urlDecode,t:lowercase${extra}"`;
  assert.deepEqual(idsOf(judge(text(''), formOf('a=%2541'))), []);
  assert.deepEqual(idsOf(judge(text(',multiMatch'), formOf('a=%2541'))), [1]);
});

test('ctl takes rules and targets away for the rest of the request, and turns the engine off', () => {
  const rules = load(`
SecRule ARGS:off "@streq id" "id:1,phase:1,nolog,pass,ctl:ruleRemoveById=10-19"
SecRule ARGS:off "@streq tag" "id:2,phase:1,nolog,pass,ctl:ruleRemoveByTag=^attack"
SecRule ARGS:off "@streq target" "id:3,phase:1,nolog,pass,ctl:ruleRemoveTargetById=10;ARGS:a,ctl:ruleRemoveTargetByTag=attack;ARGS:a"
SecRule ARGS:off "@streq all" "id:4,phase:1,nolog,pass,ctl:ruleEngine=Off"
SecRule ARGS "@rx bad" "id:10,phase:2,pass,tag:'attack-x'"
SecRule ARGS "@rx bad" "id:20,phase:2,pass"
`);
  const idsFor = (off: string): number[] => idsOf(judge(rules, requestOf({ target: `/?off=${off}&a=bad` })));
  assert.deepEqual(idsFor('none'), [10, 20]);
  assert.deepEqual(idsFor('id'), [20]);
  assert.deepEqual(idsFor('tag'), [20]);
  assert.deepEqual(idsFor('target'), [20]);
  assert.deepEqual(idsFor('all'), []);
});

test('the body is read by the processor that its type names, or that a rule chooses', () => {
  const rules = load(`
SecRule REQUEST_HEADERS:X-Read "@streq json" "id:1,phase:1,nolog,pass,ctl:requestBodyProcessor=JSON"
SecRule ARGS:json.items.1.note "@streq evil" "id:2,phase:2,pass"
SecRule XML:/* "@rx evil" "id:3,phase:2,pass"
SecRule XML://@* "@rx evil" "id:4,phase:2,pass"
SecRule FILES "@rx \\.php$" "id:5,phase:2,pass"
SecRule REQBODY_ERROR "@eq 1" "id:6,phase:2,pass"
SecRule REQUEST_BODY "@rx evil" "id:7,phase:2,pass"
SecRule MULTIPART_PART_HEADERS:file "@rx ^Content-Type: text/evil" "id:8,phase:2,pass"
`);
  const idsFor = (type: string, body: string, extra: readonly (readonly [string, string])[] = []): number[] =>
    idsOf(judge(rules, requestOf({ method: 'POST', headers: [['Content-Type', type], ...extra], body })));
  assert.deepEqual(idsFor('application/json', '{"items":[{},{"note":"evil"}]}'), [2]);
  assert.deepEqual(idsFor('text/plain', '{"items":[{},{"note":"evil"}]}', [['X-Read', 'json']]), [2]);
  assert.deepEqual(idsFor('application/json', '{"items":'), [6]);
  assert.deepEqual(idsFor('text/xml', '<a><b>&#101;vil</b></a>'), [3]);
  assert.deepEqual(idsFor('text/xml', '<a b="evil"/>'), [4]);
  assert.deepEqual(idsFor('text/xml', '<a><b></a>'), [6]);
  assert.deepEqual(idsFor('application/x-www-form-urlencoded', 'a=evil'), [7]);
  const part = 'Content-Disposition: form-data; name="file"; filename="x.php"\r\nContent-Type: text/evil';
  assert.deepEqual(
    idsFor('multipart/form-data; boundary=b', `--b\r\n${part}\r\n\r\nhello\r\n--b--\r\n`),
    [5, 8],
  );
});

test('collections outlive requests until their time is over', async () => {
  const clock = new VirtualClock({ start: 0 });
  const collections = new PersistentCollections(clock);
  const rules = load(`
SecAction "id:1,phase:1,nolog,pass,initcol:ip=%{remote_addr}"
SecRule IP:count "@ge 2" "id:2,phase:1,deny,status:429"
SecAction "id:3,phase:1,nolog,pass,setvar:ip.count=+1,expirevar:ip.count=60"
`);
  const send = (clientAddress: string): number | undefined =>
    judge(rules, requestOf({ clientAddress }), collections).interruption?.status;
  assert.deepEqual([send('192.0.2.1'), send('192.0.2.1'), send('192.0.2.1')], [undefined, undefined, 429]);
  assert.equal(send('192.0.2.2'), undefined);
  await clock.advance(61_000);
  assert.equal(send('192.0.2.1'), undefined);
});

test('rules of the response see its status, headers and body', () => {
  const rules = load(`
SecRule RESPONSE_STATUS "@rx ^5" "id:1,phase:3,pass"
SecRule RESPONSE_BODY "@pm secret" "id:2,phase:4,deny"
`);
  const transaction = judge(rules, requestOf());
  runResponse(transaction, { protocol: 'HTTP/1.1', status: 500, headers: [], body: 'a SECRET' });
  assert.deepEqual(idsOf(transaction), [1, 2]);
  assert.equal(transaction.interruption?.rule.id, 2);
});

test('rules match the same with and without the prefilter', () => {
  const word = fc.constantFrom('union', 'Select', 'script', 'cat', '../', "'", '%27', 'x', ' ', '1');
  const value = fc.array(word, { maxLength: 6 }).map((words) => encodeURIComponent(words.join('')));
  const rules = load(
    ['union\\s*select', '(?i)<?script', 'cat|dog', "'", '(?:\\.\\./)+', '^x', 'select(?!x)', '(union)?x']
      .map((pattern, index) => {
        const chain = ['t:none', 't:none,t:lowercase', 't:none,t:urlDecode,t:lowercase,multiMatch'][
          index % 3
        ];
        return `SecRule ARGS|ARGS_NAMES|!ARGS:free "@rx ${pattern}" "id:${index + 1},phase:2,pass,${chain}"`;
      })
      .join('\n'),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('a', 'free', 'union'), value), { maxLength: 5 }),
      (pairs) => {
        const request = formOf(pairs.map((pair) => pair.join('=')).join('&'));
        assert.deepEqual(idsOf(judge(rules, request)), idsOf(judge(rules, request, undefined, true)));
      },
    ),
    { numRuns: 500 },
  );
});

test('values whose samples are alike are told apart, in a request and from one to the next', () => {
  const rules = load(`
SecRule ARGS "@rx ^(?:BB){6}$" "id:1,phase:2,pass"
SecRule ARGS "@streq aAaAaAaAaAaA" "id:2,phase:2,pass"
SecRule REQUEST_COOKIES:a "@contains BB" "id:3,phase:1,pass"
`);
  const alike = Array.from({ length: 64 }, (_, bits) =>
    Array.from({ length: 6 }, (_each, bit) => ((bits >> bit) & 1 ? 'BB' : 'aA')).join(''),
  );
  assert.equal(new Set(alike.map(sampleText)).size, 1);
  const [first, last] = [alike[0]!, alike.at(-1)!];
  const ids = (values: readonly string[], cookie = ''): number[] => {
    const query = values.map((value, index) => `n${index}=${value}`).join('&');
    const request = requestOf({ target: `/?${query}`, headers: [['COOKIE', `b=${first};a=${cookie}; c`]] });
    const found = idsOf(judge(rules, request));
    assert.deepEqual(found, idsOf(judge(rules, request, undefined, true)));
    return found;
  };
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(ids(alike), [1, 2]);
    assert.deepEqual(ids(alike.slice(1, -1)), []);
    assert.deepEqual(ids(alike.toReversed().slice(1)), [2]);
    assert.deepEqual(ids([last, first, last]), [1, 2]);
    assert.deepEqual(ids([], last), [3]);
    assert.deepEqual(ids([], first), []);
  }
});

test('thousands of values of one request are found again, each as itself', () => {
  const rules = load('SecRule ARGS "@rx ^v(?:7|4999)$" "id:1,phase:2,pass,msg:\'%{MATCHED_VAR}\'"');
  const body = Array.from({ length: 10_000 }, (_, index) => `n=v${index % 5_000}`).join('&');
  const [found] = judge(rules, formOf(body)).matched;
  assert.deepEqual(
    found!.values.map(({ value }) => value),
    ['v7', 'v4999', 'v7', 'v4999'],
  );
});

test('bytes beyond ASCII are no letters: what rules need is found whatever its bits', () => {
  const rules = load(`
SecRule ARGS "@rx a\\xc9b" "id:1,phase:2,pass,t:none"
SecRule ARGS "@pm |41 c9 42|" "id:2,phase:2,pass,t:none"
SecRule ARGS "@validateByteRange 32-126" "id:3,phase:2,pass,t:none"
`);
  assert.deepEqual(idsOf(judge(rules, formOf('x=%61%C9%62'))), [1, 2, 3]);
  assert.deepEqual(idsOf(judge(rules, formOf('x=%61%E9%62'))), [3]);
  assert.deepEqual(idsOf(judge(rules, formOf('x=aeb'))), []);
});
