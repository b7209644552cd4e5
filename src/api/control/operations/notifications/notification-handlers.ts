/** Operations on notification policies and webhooks. */
import { alertingCodes as codes, fault, type InputOf, ok, page, type Result } from '#contract';
import { isMailAddress } from '#outbound';
import type { AccountContext, Context, Handlers } from '../../context/handler.ts';
import { alertPoliciesMax, alertWebhooksMax } from '../../context/limits.ts';
import { toSeconds } from '../../context/timestamps.ts';
import { describeObstacle, endpointOf } from '../named-server.ts';
import {
  type AlertType,
  notificationTable,
  type PolicyContent,
  policyTable,
  type PolicyRow,
  sealWebhookSecret,
  type WebhookRow,
  toWebhookId,
  webhookTable,
} from '../../stores/notifications.ts';

type Path = Readonly<Record<string, string>>;
type PolicyBody = InputOf<'alerting.createPolicy'>['body'];
type WebhookBody = InputOf<'alerting.createWebhook'>['body'];

interface Described {
  readonly product: string;
  readonly name: string;
  readonly description: string;
}

const described: Readonly<Record<AlertType, Described>> = {
  clickhouse_alert_fw_anomaly: {
    product: 'WAF',
    name: 'Security Events Alert',
    description: 'Rules stop many more requests of a site than in the hour before.',
  },
  real_origin_monitoring: {
    product: 'Origin Monitoring',
    name: 'Passive Origin Monitoring',
    description: 'The origin of a site cannot be reached.',
  },
  load_balancing_health_alert: {
    product: 'Load Balancing',
    name: 'Health of origins',
    description: 'An origin of a pool is down, or is healthy again.',
  },
  universal_ssl_event_type: {
    product: 'SSL/TLS',
    name: 'Certificates',
    description: 'A certificate is about to expire, has expired, or is not renewed.',
  },
  gatehouse_disk_filling: {
    product: 'Gatehouse',
    name: 'Disk',
    description: 'The disk of the data directory is nearly full.',
  },
};

export const alertingHandlers: Handlers<AccountContext, 'alerting'> = {
  'alerting.available'() {
    const products: Record<string, { type: string; display_name: string; description: string }[]> = {};
    for (const [type, { product, name, description }] of Object.entries(described))
      (products[product] ??= []).push({ type, display_name: name, description });
    return ok(products);
  },

  'alerting.listPolicies': ({ sql }) => ok(policyTable.list(sql).map(toPolicy)),

  'alerting.createPolicy'(context, { body }) {
    const { sql, nowMs } = context;
    requireRoom(policyTable.count(sql), alertPoliciesMax, 'policies');
    const row: PolicyRow = {
      id: context.newId(),
      content: checkPolicy(context, body),
      createdAtMs: nowMs,
      modifiedAtMs: nowMs,
    };
    policyTable.insert(sql, row);
    context.audit({ resource: 'alert_policy', id: row.id, before: undefined, after: toPolicy(row) });
    return ok({ id: row.id });
  },

  'alerting.getPolicy': (context, { path }) => ok(toPolicy(requirePolicy(context, path))),

  'alerting.updatePolicy'(context, { path, body }) {
    const before = requirePolicy(context, path);
    const sent = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const content = checkPolicy(context, { ...before.content, ...sent });
    const row = { ...before, content, modifiedAtMs: context.nowMs };
    policyTable.update(context.sql, row);
    context.audit({
      resource: 'alert_policy',
      id: row.id,
      before: toPolicy(before),
      after: toPolicy(row),
    });
    return ok({ id: row.id });
  },

  'alerting.deletePolicy'(context, { path }) {
    const before = requirePolicy(context, path);
    policyTable.remove(context.sql, before.id);
    context.audit({ resource: 'alert_policy', id: before.id, before: toPolicy(before), after: undefined });
    return ok(null);
  },

  'alerting.listWebhooks': ({ sql }) => ok(webhookTable.list(sql).map(toWebhook)),

  'alerting.createWebhook'(context, { body }) {
    const { sql, nowMs, keySealer } = context;
    requireRoom(webhookTable.count(sql), alertWebhooksMax, 'webhooks');
    checkWebhook(context, body);
    const id = context.newId();
    const row: WebhookRow = {
      id,
      name: body.name,
      url: body.url,
      sealedSecret: sealWebhookSecret(keySealer, id, body.secret),
      createdAtMs: nowMs,
      succeededAtMs: null,
      failedAtMs: null,
    };
    webhookTable.insert(sql, row);
    context.audit({ resource: 'alert_webhook', id, before: undefined, after: toWebhook(row) });
    return ok({ id });
  },

  'alerting.getWebhook': (context, { path }) => ok(toWebhook(requireWebhook(context, path))),

  'alerting.updateWebhook'(context, { path, body }) {
    const before = requireWebhook(context, path);
    checkWebhook(context, body);
    const { id } = before;
    const sealedSecret = sealWebhookSecret(context.keySealer, id, body.secret);
    const row = { ...before, name: body.name, url: body.url, sealedSecret };
    webhookTable.update(context.sql, row);
    context.audit({ resource: 'alert_webhook', id, before: toWebhook(before), after: toWebhook(row) });
    return ok({ id });
  },

  'alerting.deleteWebhook'(context, { path }) {
    const before = requireWebhook(context, path);
    const { id } = before;
    const user = policyTable
      .list(context.sql)
      .find(({ content }) => content.mechanisms.webhooks?.some((each) => toWebhookId(each.id) === id));
    if (user !== undefined) throw fault(codes.alertingInUse, { fill: { policy: user.content.name } });
    webhookTable.remove(context.sql, id);
    context.audit({ resource: 'alert_webhook', id, before: toWebhook(before), after: undefined });
    return ok(null);
  },

  'alerting.listEligible'({ sendsMail }) {
    const ways = { email: sendsMail, webhooks: true, pagerduty: false };
    const entries = Object.entries(ways).map(([type, ready]) => [type, { eligible: ready, ready, type }]);
    return ok(Object.fromEntries(entries) as Result<'alerting.listEligible'>);
  },

  'alerting.history'({ sql }, { query }) {
    const { total, rows } = notificationTable.search(sql, query);
    const json = rows.map(({ id, policyId, alert, kind, target, sentAtMs, problem }) => ({
      id,
      policy_id: policyId,
      name: alert.title,
      description: described[alert.type].description,
      alert_type: alert.type,
      alert_body: alert.text,
      mechanism: target,
      mechanism_type: kind,
      sent: sentAtMs === null ? null : toSeconds(sentAtMs),
      problem,
    }));
    return page(json, { ...query, total });
  },
};

function requireRoom(count: number, max: number, what: string): void {
  if (count >= max) throw fault(codes.alertingQuota, { fill: { max, what } });
}

function refuse(pointer: string, reason: string): never {
  throw fault(codes.alertingInvalid, { pointer, fill: { reason } });
}

function requirePolicy({ sql }: Context, path: Path): PolicyRow {
  const id = path['policy_id']!;
  const row = policyTable.get(sql, id);
  if (row === undefined) throw fault(codes.alertingNotFound, { fill: { what: 'policy', id } });
  return row;
}

function requireWebhook({ sql }: Context, path: Path): WebhookRow {
  const id = toWebhookId(path['webhook_id']!);
  const row = webhookTable.get(sql, id);
  if (row === undefined) throw fault(codes.alertingNotFound, { fill: { what: 'webhook', id } });
  return row;
}

function checkPolicy({ sql, directory, sendsMail }: AccountContext, body: PolicyBody): PolicyContent {
  const { email = [], webhooks = [], pagerduty = [] } = body.mechanisms;
  if (pagerduty.length > 0) refuse('/mechanisms/pagerduty', 'pagerduty: use a webhook');
  if (email.length + webhooks.length === 0)
    refuse('/mechanisms', 'mechanisms: name at least one webhook or mail address');
  if (email.length > 0 && !sendsMail)
    refuse('/mechanisms/email', 'email: the server has no mail_server; set it, or use a webhook');
  for (const [index, { id }] of email.entries())
    if (!isMailAddress(id)) refuse(`/mechanisms/email/${index}/id`, `email: ${id} is not an address`);
  for (const [index, { id }] of webhooks.entries())
    if (webhookTable.get(sql, toWebhookId(id)) === undefined)
      refuse(`/mechanisms/webhooks/${index}/id`, `webhooks: there is no webhook ${id}`);
  const filters = body.filters ?? {};
  for (const [name, values] of Object.entries(filters)) {
    if (name !== 'zones') refuse(`/filters/${name}`, `filters: ${name} cannot be filtered by; use zones`);
    for (const [index, zone] of values.entries())
      if (!directory.zones.has(zone)) refuse(`/filters/zones/${index}`, `zones: there is no zone ${zone}`);
  }
  return {
    name: body.name,
    description: body.description ?? '',
    enabled: body.enabled ?? true,
    alert_type: body.alert_type,
    // Omitted fields are not shown: Terraform's provider 5 reports any other value as a change.
    ...(body.alert_interval === undefined ? {} : { alert_interval: body.alert_interval }),
    mechanisms: {
      ...(email.length === 0 ? {} : { email }),
      ...(webhooks.length === 0 ? {} : { webhooks }),
    },
    ...(Object.keys(filters).length === 0 ? {} : { filters }),
  };
}

function checkWebhook({ checkOrigin }: AccountContext, { url: text, secret }: WebhookBody): void {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '')
    return refuse('/url', 'url: must begin with https:// or http:// and have no name and password');
  const obstacle = describeObstacle(checkOrigin, endpointOf(url));
  if (obstacle !== undefined) refuse('/url', `url: ${obstacle}`);
  if (!/^[\x20-\x7e]*$/.test(secret ?? '')) refuse('/secret', 'secret: must be printable ASCII');
}

function toPolicy({ id, content, createdAtMs, modifiedAtMs }: PolicyRow): Result<'alerting.getPolicy'> {
  return { id, ...content, created: toSeconds(createdAtMs), modified: toSeconds(modifiedAtMs) };
}

function toWebhook(row: WebhookRow): Result<'alerting.getWebhook'> {
  const { id, name, url, createdAtMs, succeededAtMs, failedAtMs } = row;
  return {
    id,
    name,
    url,
    type: 'generic',
    created_at: toSeconds(createdAtMs),
    last_success: succeededAtMs === null ? null : toSeconds(succeededAtMs),
    last_failure: failedAtMs === null ? null : toSeconds(failedAtMs),
  };
}
