/**
 * Every page and dialog, and how one gets there. Whoever adds a page adds its stop: a test compares them with the routes.
 */
import type { Locator, Page } from 'playwright-core';
import type { Names } from './sample-site.ts';

export interface Stop {
  readonly name: string;
  /** `$shop` and others stand for ids. */
  readonly path: string;
  /** What is done there, and waited for. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** It shows what was measured just now, or things in the order of chance: its picture is taken, and not compared. */
  readonly varies?: boolean;
  /** Nobody is signed in. */
  readonly isOutside?: boolean;
  /** In every run of `npm test` as well. */
  readonly isQuick?: boolean;
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name }).first().press('Enter');

/** Until a dialog is open. */
const openDialog = (name: string | RegExp) => async (page: Page) => {
  await press(name)(page);
  await dialog(page).waitFor();
};

function dialog(page: Page): Locator {
  return page.getByRole('dialog');
}

const see = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor();

export const stops: readonly Stop[] = [
  { name: 'sign-in', path: '/sign-in', isOutside: true, isQuick: true },
  { name: 'sites', path: '/', act: see('shop.example'), isQuick: true },
  { name: 'sites-add', path: '/', act: openDialog('Add site') },
  { name: 'start', path: '/start', isQuick: true },
  { name: 'start-protect', path: '/start?goal=protect&zone=$shop', act: see('Test attack') },
  { name: 'lists', path: '/lists', act: see('$office'), isQuick: true },
  { name: 'lists-create', path: '/lists', act: openDialog('Create list') },
  { name: 'list', path: '/lists/$list', act: see('Workshop'), isQuick: true },
  { name: 'list-add', path: '/lists/$list', act: openDialog('Add items') },
  { name: 'list-delete', path: '/lists/$list', act: openDialog('Delete list') },
  { name: 'notifications', path: '/notifications', act: see('Nobody is told'), varies: true },
  { name: 'workers', path: '/workers', varies: true, act: see('There is no Worker yet') },
  { name: 'stores', path: '/stores', varies: true, act: see('There is no namespace') },
  { name: 'tokens', path: '/tokens', isQuick: true },
  { name: 'tokens-create', path: '/tokens', act: openDialog('Create token') },
  { name: 'audit', path: '/audit', varies: true, act: see('owner@gatehouse.local') },
  { name: 'objects', path: '/objects', varies: true, act: see('shop.example'), isQuick: true },
  {
    name: 'object',
    path: '/objects?class=Zone&object=$shop&view=tables',
    varies: true,
    act: see('access_rules'),
  },
  { name: 'object-sql', path: '/objects?class=Zone&object=$shop&view=sql', varies: true },
  { name: 'object-history', path: '/objects?class=Zone&object=$shop&view=history', varies: true },
  { name: 'metrics', path: '/metrics-board', varies: true, isQuick: true },
  { name: 'palette', path: '/', act: openByKey('Control+K') },
  { name: 'keys', path: '/zones/$shop', act: openByKey('?') },
  { name: 'overview', path: '/zones/$shop', act: see('Countries') },
  { name: 'activity', path: '/zones/$shop/activity', act: see('Blocked') },
  { name: 'event', path: '/zones/$shop/activity?event=$event', act: see('Make an exception') },
  { name: 'firewall-rules', path: '/zones/$old/firewall-rules', act: see('office') },
  { name: 'firewall-rules-edit', path: '/zones/$old/firewall-rules?rule=$rule', act: see('Try a request') },
  { name: 'firewall-rules-filters', path: '/zones/$old/firewall-rules?view=filters' },
  { name: 'firewall-rules-none', path: '/zones/$shop/firewall-rules' },
  { name: 'rate-limits', path: '/zones/$shop/rate-limits' },
  { name: 'security-tools', path: '/zones/$shop/security-tools', act: see('203.0.113.77'), isQuick: true },
  {
    name: 'security-tools-access',
    path: '/zones/$shop/security-tools',
    act: openDialog('Create access rule'),
  },
  {
    name: 'security-tools-lockdown',
    path: '/zones/$shop/security-tools',
    act: openDialog('Create lockdown'),
  },
  {
    name: 'security-tools-agent',
    path: '/zones/$shop/security-tools',
    act: openDialog('Create user agent rule'),
  },
  { name: 'managed-rules', path: '/zones/$shop/managed-rules', isQuick: true },
  { name: 'managed-rules-ruleset', path: '/zones/$shop/managed-rules?ruleset=$ruleset' },
  { name: 'managed-rules-legacy', path: '/zones/$old/managed-rules', act: see('Review configuration') },
  { name: 'migration-review', path: '/zones/$old/managed-rules/update', act: see('accepted by the server') },
  {
    name: 'migration-validation',
    path: '/zones/$tried/managed-rules/update',
    act: see('The versions differ'),
  },
  { name: 'page-rules', path: '/zones/$shop/page-rules', act: see('shop.example/static/*'), isQuick: true },
  { name: 'page-rules-create', path: '/zones/$shop/page-rules', act: openDialog('Create page rule') },
  { name: 'logpush', path: '/zones/$shop/logpush', act: see('Nothing is sent to others'), varies: true },
  { name: 'load-balancing', path: '/zones/$shop/load-balancing', act: see('primary'), isQuick: true },
  {
    name: 'load-balancing-create',
    path: '/zones/$shop/load-balancing',
    act: openDialog('Create load balancer'),
  },
  { name: 'load-balancing-pool', path: '/zones/$shop/load-balancing', act: openDialog('Create pool') },
  { name: 'load-balancing-monitor', path: '/zones/$shop/load-balancing', act: openDialog('Create monitor') },
  { name: 'certificates', path: '/zones/$shop/certificates' },
  { name: 'certificates-upload', path: '/zones/$shop/certificates', act: openDialog('Upload certificate') },
  { name: 'settings', path: '/zones/$shop/settings', act: see('Delete this site'), isQuick: true },
  { name: 'settings-delete', path: '/zones/$shop/settings', act: openDialog('Delete site') },
];

function openByKey(key: string) {
  return async (page: Page) => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press(key);
    await dialog(page).waitFor();
  };
}

export function fillPath(path: string, names: Names): string {
  return path.replaceAll(/\$([a-z]+)/g, (_, name: string) => encodeURIComponent(names[name as keyof Names]));
}
