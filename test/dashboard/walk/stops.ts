/** Every page and dialog, and the way to it. Add a stop for each new page: a test compares them with the routes. */
import type { Locator, Page } from 'playwright-core';
import type { Names } from './sample-site.ts';

export interface Stop {
  readonly name: string;
  /** `$shop` and others stand for ids. */
  readonly path: string;
  /** The actions there, and what to wait for. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** The title of the dialog that is open then. */
  readonly dialog?: string;
  /** It shows current measurements, or items in random order: its picture is taken, but not compared. */
  readonly varies?: boolean;
  /** No user is signed in. */
  readonly isOutside?: boolean;
  /** The user is signed out afterwards. */
  readonly endsSession?: boolean;
  /** In every run of `npm test` as well. */
  readonly isQuick?: boolean;
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name }).first().press('Enter');

type Act = (page: Page) => Promise<unknown>;

/** One after the other. */
const both = (first: Act, second: Act) => async (page: Page) => {
  await first(page);
  await second(page);
};

interface DialogStop extends Pick<Stop, 'path' | 'varies'> {
  readonly button: string | RegExp;
  /** The actions before the button appears. */
  readonly first?: Act;
}

/** Waits until a dialog with this title is open. */
function dialogStop(name: string, title: string, { button, first, ...stop }: DialogStop): Stop {
  const open = async (page: Page): Promise<void> => {
    await press(button)(page);
    await page.getByRole('dialog', { name: title, exact: true }).waitFor();
  };
  return { name, dialog: title, act: first === undefined ? open : both(first, open), ...stop };
}

const check = (name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole('checkbox', { name }).first().check();

function dialog(page: Page): Locator {
  return page.getByRole('dialog');
}

/** Entries of a menu that is folded on a phone do not count. */
const see = (text: string | RegExp) => (page: Page) =>
  page.getByText(text).filter({ visible: true }).first().waitFor();

export const stops: readonly Stop[] = [
  { name: 'sign-in', path: '/sign-in', isOutside: true, isQuick: true },
  { name: 'sites', path: '/', act: see('shop.example'), isQuick: true },
  dialogStop('sites-add', 'Add a site', { path: '/', button: 'Add site' }),
  { name: 'start', path: '/start', isQuick: true },
  { name: 'not-found', path: '/nope', act: see('Nothing is at this address') },
  { name: 'start-protect', path: '/start?goal=protect&zone=$shop', act: see('Test attack') },
  { name: 'lists', path: '/lists', act: see('$office'), isQuick: true },
  dialogStop('lists-create', 'Create a list', { path: '/lists', button: 'Create list' }),
  { name: 'list', path: '/lists/$list', act: see('Workshop'), isQuick: true },
  dialogStop('list-add', 'Add items to $office', { path: '/lists/$list', button: 'Add items' }),
  dialogStop('list-delete', 'Delete $office?', { path: '/lists/$list', button: 'Delete list' }),
  dialogStop('list-describe', 'Describe $office', { path: '/lists/$list', button: 'Change description' }),
  dialogStop('list-remove', 'Remove 1 item?', {
    path: '/lists/$list',
    first: check(/192\.0\.2\.1/),
    button: 'Remove chosen',
  }),
  dialogStop('list-fill', 'Set the source of the list', {
    path: '/lists/$list',
    button: 'Set source',
  }),
  dialogStop('list-source', 'Remove this source?', {
    path: '/lists/$feed',
    button: 'Remove source',
    varies: true,
  }),
  { name: 'notifications', path: '/notifications', act: see('Attacks on any site'), varies: true },
  dialogStop('notifications-policy', 'Create a policy', {
    path: '/notifications',
    button: 'Create policy',
    varies: true,
  }),
  dialogStop('notifications-webhook', 'Create a webhook', {
    path: '/notifications',
    button: 'Create webhook',
    varies: true,
  }),
  dialogStop('notifications-delete', 'Delete this policy?', {
    path: '/notifications',
    button: 'Delete the policy',
    varies: true,
  }),
  { name: 'workers', path: '/workers', varies: true, act: see('orders') },
  { name: 'worker', path: '/workers/orders', varies: true, act: see('second version') },
  ...(
    [
      ['rollback', 'Roll back to version 1?', 'Roll back'],
      ['secret', 'Set secret', 'Set secret'],
      ['secret-delete', 'Delete the secret KEY?', 'Delete the secret KEY'],
      ['crons', 'Change crons', 'Change crons'],
      ['route-delete', 'Delete shop.example/orders/*?', 'Delete shop.example/orders/*'],
      ['delete', 'Delete orders?', 'Delete Worker'],
    ] as const
  ).map(([name, title, button]) =>
    dialogStop(`worker-${name}`, title, {
      path: '/workers/orders',
      first: see('second version'),
      button,
      varies: true,
    }),
  ),
  { name: 'stores', path: '/stores', varies: true, act: see('sessions') },
  dialogStop('stores-create', 'Create bucket', { path: '/stores', button: 'Create bucket', varies: true }),
  dialogStop('stores-empty', 'Empty mail?', { path: '/stores', button: 'Empty mail', varies: true }),
  { name: 'namespace', path: '/stores/kv/$kv', varies: true, act: see('user:1') },
  dialogStop('namespace-write', 'Write value', {
    path: '/stores/kv/$kv',
    button: 'Write value',
    varies: true,
  }),
  dialogStop('namespace-delete-key', 'Delete user:1?', {
    path: '/stores/kv/$kv',
    button: 'Delete user:1',
    varies: true,
  }),
  { name: 'database', path: '/stores/d1/$database', varies: true, act: see('Tables') },
  dialogStop('database-back', 'Go back in time', {
    path: '/stores/d1/$database',
    button: 'Go back in time',
    varies: true,
  }),
  { name: 'bucket', path: '/stores/r2/pictures', act: see('There is no object') },
  dialogStop('bucket-delete', 'Delete pictures?', { path: '/stores/r2/pictures', button: 'Delete bucket' }),
  { name: 'tokens', path: '/tokens', isQuick: true },
  dialogStop('tokens-create', 'Create a token', { path: '/tokens', button: 'Create token' }),
  dialogStop('tokens-change', 'Change a token', { path: '/tokens', button: 'Change Deploys' }),
  dialogStop('tokens-roll', 'Roll this token?', { path: '/tokens', button: 'Roll Deploys' }),
  dialogStop('tokens-revoke', 'Revoke this token?', { path: '/tokens', button: 'Revoke Deploys' }),
  {
    name: 'tokens-copy',
    path: '/tokens',
    varies: true,
    dialog: 'Copy the token now',
    act: both(both(press('Roll Deploys'), pressAnywhere('Roll token')), see('Copy the token now')),
  },
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
  dialogStop('object-restore', 'Restore shop.example?', {
    path: '/objects?class=Zone&object=$shop&view=history',
    button: 'Restore…',
    varies: true,
  }),
  { name: 'object-values', path: '/objects?class=Zone&object=$shop&view=values', varies: true },
  ...(
    [
      ['unlock', 'Unlock writing?', 'Unlock writing…', undefined],
      ['add', 'Add a value', 'Add a value…', unlock],
      ['edit', 'Edit greeting', 'Edit', unlock],
      ['delete', 'Delete greeting?', 'Delete', unlock],
    ] as const
  ).map(([name, title, button, first]) =>
    dialogStop(`object-values-${name}`, title, {
      path: '/objects?class=Zone&object=$shop&view=values',
      button,
      varies: true,
      ...(first === undefined ? {} : { first }),
    }),
  ),
  { name: 'metrics', path: '/metrics-board', varies: true, isQuick: true },
  { name: 'palette', path: '/', act: openByKey('Control+K') },
  { name: 'keys', path: '/zones/$shop', act: openByKey('?'), dialog: 'Keys' },
  {
    name: 'session-ended',
    path: '/lists',
    varies: true,
    act: both(see('$office'), endSession),
    endsSession: true,
  },
  { name: 'overview', path: '/zones/$shop', act: see('Countries') },
  dialogStop('overview-protect', 'Protect plain.example', {
    path: '/zones/$plain',
    button: 'Protect this site',
  }),
  { name: 'activity', path: '/zones/$shop/activity', act: see('Blocked') },
  dialogStop('activity-save', 'Save this view', { path: '/zones/$shop/activity', button: 'Save this view…' }),
  { name: 'event', path: '/zones/$shop/activity?event=$event', act: see('Make an exception') },
  {
    name: 'event-exception',
    path: '/zones/$shop/activity?event=$event',
    act: both(pressAnywhere('Make an exception…'), see('The narrowest comes first')),
  },
  {
    name: 'event-block',
    path: '/zones/$shop/activity?event=$event',
    act: both(pressAnywhere('Block address…'), see('Every request from')),
  },
  {
    name: 'event-allow',
    path: '/zones/$shop/activity?event=$event',
    act: both(pressAnywhere('Allow address…'), see('No rule of this site stops')),
  },
  { name: 'firewall-rules', path: '/zones/$old/firewall-rules', act: see('office') },
  { name: 'firewall-rules-edit', path: '/zones/$old/firewall-rules?rule=$rule', act: see('Try a request') },
  dialogStop('firewall-rules-delete', 'Delete this rule?', {
    path: '/zones/$old/firewall-rules',
    button: 'Delete office',
  }),
  dialogStop('firewall-rules-chosen', 'Delete 1 rule?', {
    path: '/zones/$old/firewall-rules',
    first: check('Choose office'),
    button: 'Delete…',
  }),
  { name: 'firewall-rules-filters', path: '/zones/$old/firewall-rules?view=filters', act: see('/unused') },
  dialogStop('firewall-rules-filter-delete', 'Delete this filter?', {
    path: '/zones/$old/firewall-rules?view=filters',
    button: /^Delete.*unused/,
  }),
  { name: 'firewall-rules-none', path: '/zones/$shop/firewall-rules' },
  { name: 'custom-rules', path: '/zones/$shop/custom-rules', act: see('hits in 24 h'), isQuick: true },
  {
    name: 'custom-rules-create',
    path: '/zones/$shop/custom-rules?rule=new',
    act: see('Why (for the history)'),
  },
  {
    name: 'custom-rules-edit',
    path: '/zones/$shop/custom-rules?rule=$custom',
    act: see('It would have matched'),
  },
  {
    name: 'custom-rules-shared',
    path: '/zones/$shop/custom-rules?ruleset=$shared',
    act: see('Scanners that give their name'),
  },
  ...(
    [
      ['create', 'Create a ruleset', 'Create ruleset'],
      ['stop', 'Stop this ruleset?', 'Stop shared'],
      ['run', 'Run spare', 'Run spare'],
      ['delete', 'Delete this ruleset?', 'Delete spare'],
    ] as const
  ).map(([name, title, button]) =>
    dialogStop(`custom-rules-shared-${name}`, title, { path: '/zones/$shop/custom-rules', button }),
  ),
  { name: 'custom-rules-none', path: '/zones/$old/custom-rules', act: see('There is no custom rule') },
  { name: 'rate-limits', path: '/zones/$shop/rate-limits', act: see('Closest to their limit') },
  { name: 'rate-limits-create', path: '/zones/$shop/rate-limits?rule=new', act: see('Counted by') },
  { name: 'security-tools', path: '/zones/$shop/security-tools', act: see('203.0.113.77'), isQuick: true },
  dialogStop('security-tools-access', 'Create an access rule', {
    path: '/zones/$shop/security-tools',
    button: 'Create access rule',
  }),
  dialogStop('security-tools-lockdown', 'Create a lockdown', {
    path: '/zones/$shop/security-tools',
    button: 'Create lockdown',
  }),
  dialogStop('security-tools-agent', 'Create a user agent rule', {
    path: '/zones/$shop/security-tools',
    button: 'Create user agent rule',
  }),
  dialogStop('security-tools-asking', 'Create a rule that asks', {
    path: '/zones/$shop/security-tools',
    button: 'Create rule that asks',
  }),
  dialogStop('security-tools-lockdown-change', 'Change a lockdown', {
    path: '/zones/$shop/security-tools',
    button: 'shop.example/admin*',
  }),
  ...(
    [
      ['access', 'Delete this access rule?', 'Delete the rule about'],
      ['lockdown', 'Delete this lockdown?', 'Delete the lockdown'],
      ['agent', 'Delete this user agent rule?', 'Delete python-requests'],
      ['asking', 'Delete this rule?', 'Delete Who is signed in'],
    ] as const
  ).map(([name, title, button]) =>
    dialogStop(`security-tools-${name}-delete`, title, { path: '/zones/$shop/security-tools', button }),
  ),
  { name: 'managed-rules', path: '/zones/$shop/managed-rules', isQuick: true },
  dialogStop('managed-rules-exception', 'Create exception', {
    path: '/zones/$shop/managed-rules',
    button: 'Create exception',
  }),
  dialogStop('managed-rules-exception-edit', 'Edit exception', {
    path: '/zones/$shop/managed-rules',
    button: 'Edit Uploads of pictures',
  }),
  dialogStop('managed-rules-exception-remove', 'Remove this exception?', {
    path: '/zones/$shop/managed-rules',
    button: 'Remove Uploads of pictures',
  }),
  { name: 'managed-rules-ruleset', path: '/zones/$shop/managed-rules?ruleset=$ruleset' },
  dialogStop('managed-rules-forget', 'Forget what was learned?', {
    path: '/zones/$learned/managed-rules',
    first: see('30 requests'),
    button: 'Forget everything',
  }),
  {
    name: 'managed-rules-leave',
    path: '/zones/$shop/managed-rules?ruleset=$ruleset',
    dialog: 'Leave without saving?',
    act: leaveUnsaved,
  },
  { name: 'managed-rules-legacy', path: '/zones/$old/managed-rules', act: see('Review configuration') },
  {
    name: 'managed-rules-legacy-off',
    path: '/zones/$old/managed-rules',
    dialog: 'Turn managed rules off?',
    act: both(
      (page) => page.getByRole('switch', { name: 'Managed rules' }).press('Enter'),
      see('Turn managed rules off?'),
    ),
  },
  {
    name: 'managed-rules-last-off',
    path: '/zones/$shop/managed-rules',
    dialog: 'Leave shop.example without managed rulesets?',
    act: both(
      (page) => page.getByRole('switch', { name: 'Cloudflare Managed Ruleset' }).press('Enter'),
      see('Leave shop.example without managed rulesets?'),
    ),
  },
  dialogStop('managed-rules-override', 'Create override', {
    path: '/zones/$review/managed-rules',
    button: 'Create override',
  }),
  dialogStop('managed-rules-override-edit', 'Edit override', {
    path: '/zones/$review/managed-rules',
    button: /^Edit .*upload/,
  }),
  dialogStop('managed-rules-override-delete', 'Delete this override?', {
    path: '/zones/$review/managed-rules',
    button: /^Delete .*upload/,
  }),
  { name: 'migration-review', path: '/zones/$old/managed-rules/update', act: see('accepted by the server') },
  {
    name: 'migration-validation',
    path: '/zones/$tried/managed-rules/update',
    act: see('The versions differ'),
  },
  dialogStop('migration-deploy', 'Deploy the new managed rules', {
    path: '/zones/$old/managed-rules/update',
    first: see('accepted by the server'),
    button: 'Deploy',
  }),
  dialogStop('migration-finish', 'Ready to update', {
    path: '/zones/$tried/managed-rules/update',
    first: see('The versions differ'),
    button: 'Ready to update',
  }),
  dialogStop('migration-start', 'Deploy in validation mode', {
    path: '/zones/$big/managed-rules/update',
    first: see('accepted by the server'),
    button: 'Deploy',
  }),
  dialogStop('migration-obstacle', 'Delete this override?', {
    path: '/zones/$review/managed-rules/update',
    button: 'Delete override of',
  }),
  { name: 'page-rules', path: '/zones/$shop/page-rules', act: see('shop.example/static/*'), isQuick: true },
  dialogStop('page-rules-create', 'Create a page rule', {
    path: '/zones/$shop/page-rules',
    button: 'Create page rule',
  }),
  dialogStop('page-rules-change', 'Change a page rule', {
    path: '/zones/$shop/page-rules',
    button: 'shop.example/static/*',
  }),
  dialogStop('page-rules-delete', 'Delete this page rule?', {
    path: '/zones/$shop/page-rules',
    button: 'Delete shop.example/static/*',
  }),
  { name: 'logpush-none', path: '/zones/$old/logpush', act: see('No Logpush jobs yet') },
  { name: 'logpush', path: '/zones/$shop/logpush', act: see('logs.example'), varies: true },
  ...(
    [
      ['create', 'Create a job', 'Create job'],
      ['change', 'Change a job', 'https://logs.example/in'],
      ['delete', 'Delete this job?', 'Delete the job'],
    ] as const
  ).map(([name, title, button]) =>
    dialogStop(`logpush-${name}`, title, { path: '/zones/$shop/logpush', button, varies: true }),
  ),
  { name: 'load-balancing', path: '/zones/$shop/load-balancing', act: see('primary'), isQuick: true },
  dialogStop('load-balancing-create', 'Create a load balancer', {
    path: '/zones/$shop/load-balancing',
    button: 'Create load balancer',
  }),
  dialogStop('load-balancing-pool', 'Create a pool', {
    path: '/zones/$shop/load-balancing',
    button: 'Create pool',
  }),
  dialogStop('load-balancing-monitor', 'Create a monitor', {
    path: '/zones/$shop/load-balancing',
    button: 'Create monitor',
  }),
  ...(
    [
      ['change', 'Change a load balancer', 'balanced.shop.example'],
      ['pool-change', 'Change a pool', 'primary'],
      ['delete', 'Delete this load balancer?', 'Delete the load balancer'],
      ['pool-delete', 'Delete this pool?', 'Delete the pool spare'],
      ['monitor-delete', 'Delete this monitor?', 'Delete the monitor'],
    ] as const
  ).map(([name, title, button]) =>
    dialogStop(`load-balancing-${name}`, title, { path: '/zones/$shop/load-balancing', button }),
  ),
  { name: 'certificates', path: '/zones/$shop/certificates' },
  dialogStop('certificates-delete', 'Delete this certificate?', {
    path: '/zones/$plain/certificates',
    button: 'Delete the certificate of',
    varies: true,
  }),
  dialogStop('certificates-upload', 'Upload a certificate', {
    path: '/zones/$shop/certificates',
    button: 'Upload certificate',
  }),
  { name: 'settings', path: '/zones/$shop/settings', act: see('Delete this site'), isQuick: true },
  dialogStop('settings-pause', 'Pause shop.example?', { path: '/zones/$shop/settings', button: 'Pause' }),
  dialogStop('settings-managed-off', 'Turn legacy managed rules off?', {
    path: '/zones/$old/settings',
    button: 'Turn off',
  }),
  dialogStop('settings-delete', 'Delete shop.example?', {
    path: '/zones/$shop/settings',
    button: 'Delete site',
  }),
];

/** Also in a dialog, or beside a list. */
function pressAnywhere(name: string) {
  return (page: Page) => page.getByRole('button', { name, exact: true }).first().press('Enter');
}

async function unlock(page: Page): Promise<void> {
  await press('Unlock writing…')(page);
  await dialog(page).getByRole('textbox').fill('shop.example');
  await dialog(page).getByRole('button', { name: 'Unlock' }).press('Enter');
  await see('Writing is unlocked')(page);
}

/** As if the token of the session had been revoked: the next request gets that response. */
async function endSession(page: Page): Promise<void> {
  await page.context().clearCookies();
  await press('Create list')(page);
  await dialog(page).getByLabel('Name').fill('late');
  await pressAnywhere('Create list')(page);
  await see('Sign in to continue')(page);
}

async function leaveUnsaved(page: Page): Promise<void> {
  await page.getByLabel('Action of Cloudflare Managed Ruleset').selectOption('log');
  await see('You have unsaved changes.')(page);
  await page.getByRole('main').getByRole('link', { name: 'All managed rulesets' }).press('Enter');
  await see('Leave without saving?')(page);
}

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
