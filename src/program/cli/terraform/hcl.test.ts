import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { type HclBlock, HclReference, writeBlock } from './hcl.ts';
import { parseHcl } from './testing.ts';

const resource = (body: HclBlock['body']): HclBlock => ({
  kind: 'block',
  type: 'resource',
  labels: ['cloudflare_ruleset', 'one'],
  body,
});

test('writeBlock aligns neighbouring lines and sets blocks apart, as terraform fmt does', () => {
  const rule: HclBlock = {
    kind: 'block',
    type: 'rules',
    labels: [],
    body: [{ kind: 'attribute', name: 'enabled', value: true }],
  };
  const text = writeBlock(
    resource([
      { kind: 'attribute', name: 'zone_id', value: 'z' },
      { kind: 'attribute', name: 'description', value: 'd' },
      { kind: 'attribute', name: 'items', value: [{ ip: '192.0.2.1', comment: 'c' }] },
      { kind: 'attribute', name: 'list_id', value: new HclReference('cloudflare_list.a.id') },
      rule,
    ]),
  );
  equal(
    text,
    `resource "cloudflare_ruleset" "one" {
  zone_id     = "z"
  description = "d"
  items = [
    {
      ip      = "192.0.2.1"
      comment = "c"
    },
  ]
  list_id = cloudflare_list.a.id

  rules {
    enabled = true
  }
}
`,
  );
});

test('writeBlock escapes text so that it reads back the same, and no text becomes a template', () => {
  const texts = [
    '${file("/etc/passwd")}',
    '%{ if true }x%{ endif }',
    '$${twice}',
    '"quoted" \\ back',
    'line\nbreak\r\ttab',
    '\b\f\u0000\u001b[31m\u007f\u0085\u2028',
    'ünïcode 🛡',
    '$',
    '}\nresource "null_resource" "x" {',
  ];
  for (const text of texts) {
    const value = { [text]: text, list: [text] };
    const [block] = parseHcl(writeBlock(resource([{ kind: 'attribute', name: 'value', value }])));
    deepEqual(block!.attributes, { value }, JSON.stringify(text));
  }
});
