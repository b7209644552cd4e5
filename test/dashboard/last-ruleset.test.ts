/** In a real browser: one click does not turn off the last managed ruleset that protects a site. */
import { deepEqual, equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { DashboardSite } from './dashboard-site.ts';

const [managed, credentials] = ['efb7b8c949ac4650a09736fc376e9aee', 'c2e184081120413c86c3ab7e14069605'];
const managedSwitch = { name: 'Cloudflare Managed Ruleset', exact: true };
const question = 'Leave guarded.example without managed rulesets?';

let site: DashboardSite;
let zoneId: string;
before(async () => {
  site = await DashboardSite.open();
  zoneId = await site.createZone('guarded.example', 'enterprise');
});
after(() => site[Symbol.asyncDispose]());

const entryPoint = () => `/zones/${zoneId}/rulesets/phases/http_request_firewall_managed/entrypoint`;

async function deploy(...ids: readonly string[]): Promise<void> {
  const rules = ids.map((id) => ({ action: 'execute', expression: 'true', action_parameters: { id } }));
  await site.call(`PUT ${entryPoint()}`, { rules });
}

async function readRules(): Promise<any[]> {
  return (await site.call(`GET ${entryPoint()}`)).result.rules;
}

async function readStates(): Promise<boolean[]> {
  return (await readRules()).map(({ enabled }) => enabled);
}

async function openRulesets(search = ''): Promise<Page> {
  const page = await site.openSignedIn(`/zones/${zoneId}/managed-rules${search}`);
  if (search === '') await page.getByRole('tab', { name: 'Managed rulesets' }).click();
  return page;
}

test('the last managed ruleset that acts goes off when that was confirmed, and comes back with Undo', async () => {
  await deploy(managed, credentials);
  const page = await openRulesets();
  await page.getByRole('switch', { name: 'Cloudflare Exposed Credentials Check' }).click();
  await page.getByText('The other managed rulesets stay on.').waitFor();
  deepEqual(await readStates(), [true, false]);

  await page.getByRole('switch', managedSwitch).click();
  const dialog = page.getByRole('dialog', { name: question });
  await dialog.getByText('none of them stops attacks on guarded.example').waitFor();
  deepEqual(await readStates(), [true, false]);
  await site.inspect(page, 'managed-last-off');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  equal(await page.getByRole('switch', managedSwitch).isChecked(), true);

  await page.getByRole('switch', managedSwitch).click();
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  const toast = page.locator('.toast', {
    hasText: 'No managed ruleset stops attacks on guarded.example now.',
  });
  await toast.waitFor();
  deepEqual(await readStates(), [false, false]);
  // Other changes stay.
  const [, other] = await readRules();
  const { result } = await site.call(`GET ${entryPoint()}`);
  await site.call(`PATCH /zones/${zoneId}/rulesets/${result.id}/rules/${other.id}`, {
    ...pick(other),
    enabled: true,
  });
  await site.inspect(page, 'managed-last-off-undo');
  await toast.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Cloudflare Managed Ruleset is on again').waitFor();
  deepEqual(await readStates(), [true, true]);
  site.checkConsole();
});

test('an override that silences the last managed ruleset that acts is confirmed before it is saved', async () => {
  await deploy(managed);
  const page = await openRulesets(`?ruleset=${managed}`);
  await page.getByLabel('Action of Cloudflare Managed Ruleset').selectOption('log');
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: question });
  await dialog.waitFor();
  equal((await readRules())[0].action_parameters.overrides, undefined);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved Cloudflare Managed Ruleset').waitFor();
  deepEqual((await readRules())[0].action_parameters.overrides, { action: 'log' });
  site.checkConsole();
});

function pick({ action, expression, action_parameters }: any): object {
  return { action, expression, action_parameters };
}
