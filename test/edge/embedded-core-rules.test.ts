import { equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { createFirewall, useCoreRules } from '#edge';
import { testRulesDirectory } from '../../src/rules/seclang/crs/testing.ts';

test('useCoreRules gives embedded firewalls the OWASP rules, without which they refuse to be created', async () => {
  throws(
    () => createFirewall({ owasp: true }),
    /the OWASP rules are not loaded: await useCoreRules\(directory\) first/,
  );
  equal(await useCoreRules(testRulesDirectory), '1.0.0');
  await using firewall = createFirewall({ owasp: true });
  const decide = async (path: string): Promise<string> =>
    (await firewall.judge({ url: `https://shop.example${path}` })).action;
  equal(await decide('/?q=%3Cscript%3Ealert(1)%3C/script%3E'), 'block');
  equal(await decide('/?q=shoes'), 'pass');
  // A score acts by itself; an option logs scores that no detector confirms instead.
  const settings = {
    overrides: { rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 20 }] },
  };
  const odd = 'https://shop.example/?q=%3Cscript%3E%20select%201%20from%20x';
  for (const [unconfirmedScores, action] of [
    [undefined, 'block'],
    ['act', 'block'],
    ['log', 'pass'],
  ] as const) {
    await using strict = createFirewall({ owasp: settings, ...(unconfirmedScores && { unconfirmedScores }) });
    equal((await strict.judge({ url: odd })).action, action);
  }
});
