import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile } from '#expressions';
import { requestFrom } from '#request';
import { checkExpression, type ExpressionContext, type CheckedExpression } from './expression.ts';
import { contextOf } from './testing.ts';

function faultOf(
  text: string,
  parts: Partial<ExpressionContext> = {},
): Extract<CheckedExpression, { ok: false }>['fault'] {
  const checked = checkExpression(text, { ...contextOf(), ...parts });
  assert.ok(!checked.ok, text);
  return checked.fault;
}

test('checkExpression answers the tree', () => {
  const checked = checkExpression(' http.host eq "a" ', contextOf());
  assert.ok(checked.ok);
  assert.equal(compile(checked.tree)(requestFrom({ url: 'https://a/' })), true);
});

test('checkExpression words a wrong expression as filters do and as rulesets do', () => {
  const { kind, filterText, reason } = faultOf('ssl and\n ip.src eq 1.2.3.4 and nope');
  assert.equal(kind, 'invalid');
  const carets = `${' '.repeat(23)}^^^^ unknown identifier`;
  assert.equal(filterText, `Filter parsing error:\n\` ip.src eq 1.2.3.4 and nope\`\n ${carets}\n`);
  assert.equal(
    reason,
    `could not parse filter expression: Filter parsing error (2:24):\n ip.src eq 1.2.3.4 and nope\n${carets}`,
  );
});

const faults: readonly [text: string, kind: string, reason: RegExp, parts?: Partial<ExpressionContext>][] = [
  ['', 'blank', /^the expression cannot be blank$/],
  [' \n\t', 'blank', /cannot be blank/],
  [`ssl${' and ssl'.repeat(600)}`, 'invalid', /^the expression is too long \(limit: 4096 characters\)$/],
  ['http.host matches "a"', 'not entitled', /the Pro plan is not entitled to regular/, { plan: 'pro' }],
  ['cf.bot_management.score lt 30', 'not entitled', /needs the Enterprise plan$/, { plan: 'business' }],
  ['ip.src in $ofice', 'invalid', /unknown list[^]*did you mean office\?/],
  [
    'http.host in $office',
    'invalid',
    /^the list \$office is of the kind ip, and http\.host is of the type Bytes$/,
  ],
  ['ip.src in $networks', 'invalid', /the kind asn, and ip\.src is of the type Ip/],
  [
    'not (ssl or ip.src.asnum in $hosts)',
    'invalid',
    /the kind hostname, and ip\.src\.asnum is of the type Int/,
  ],
  ['any(http.request.headers["host"][*] in $office)', 'invalid', /the kind ip/],
  ['http.host in $moved', 'invalid', /the kind redirect/],
  ['http.response.code eq 200', 'invalid', /not available in http_request_firewall_custom/],
  ['cf.zone.plan eq "ENT"', 'invalid', /unknown identifier/],
];

for (const [text, kind, reason, parts] of faults) {
  test(`checkExpression refuses ${JSON.stringify(text.slice(0, 50))}`, () => {
    const fault = faultOf(text, parts);
    assert.equal(fault.kind, kind);
    assert.match(fault.reason, reason);
    assert.ok(fault.filterText.length > 0);
  });
}

const sound: readonly [text: string, parts?: Partial<ExpressionContext>][] = [
  ['ip.src in $office and http.host in $hosts and ip.src.asnum in $networks'],
  ['http.host matches "a"', { plan: 'business' }],
  ['cf.zone.plan eq "ENT"', { level: 'account' }],
  ['http.response.code eq 200', { phase: 'http_response_firewall_managed' }],
  ['ssl', { phase: 'http_request_cloud_connector' }],
];

for (const [text, parts] of sound) {
  test(`checkExpression accepts ${text}`, () => {
    assert.ok(checkExpression(text, { ...contextOf(), ...parts }).ok);
  });
}
