/**
 * Notification policies, webhooks, and pending and past notifications, in the database of the account. That object
 * lives on one host of a cluster, so each notification is sent once.
 */
import { backOffMs } from '#base';
import type { Result } from '#contract';
import type { KeySealer } from '../context/key-sealer.ts';
import { alertGiveUpMs, alertRetryMs, alertsKept } from '../context/limits.ts';
import { json, nullable, text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { type RowOf, Table } from '../context/tables/table.ts';

export type AlertType = Result<'alerting.getPolicy'>['alert_type'];
export type PolicyContent = Omit<Result<'alerting.getPolicy'>, 'id' | 'created' | 'modified'>;

/** An event that policies may report. */
export interface Alert {
  readonly type: AlertType;
  /** The subject: another alert about it is only sent after the interval of a policy. */
  readonly subject: string;
  /** Undefined if it affects the whole server. */
  readonly zoneId?: string | undefined;
  /** One line. */
  readonly title: string;
  readonly text: string;
}

export const policyTable = new Table('alert_policies', {
  sequence: 'autoincrement',
  columns: {
    id: text({ isUnique: true }),
    content: json<PolicyContent>(),
    createdAtMs: whole(),
    modifiedAtMs: whole(),
  },
  order: 'sequence',
});

/** Clients may write it as a UUID, and receive it as they wrote it. */
export function toWebhookId(id: string): string {
  return id.replaceAll('-', '');
}

export const webhookTable = new Table('alert_webhooks', {
  sequence: 'autoincrement',
  columns: {
    id: text({ isUnique: true }),
    name: text(),
    url: text(),
    sealedSecret: nullable(text()),
    createdAtMs: whole(),
    succeededAtMs: nullable(whole()),
    failedAtMs: nullable(whole()),
  },
  order: 'sequence',
});

/** One alert for one recipient: it waits while `dueMs` is set. */
export const notificationTable = new Table('alert_notifications', {
  sequence: 'autoincrement',
  columns: {
    id: text({ isUnique: true }),
    policyId: text(),
    subject: text(),
    alert: json<Alert>(),
    kind: text<'webhook' | 'email'>(),
    /** The id of a webhook, or a mail address. */
    target: text(),
    createdAtMs: whole(),
    dueMs: nullable(whole()),
    tries: whole(),
    sentAtMs: nullable(whole()),
    problem: nullable(text()),
  },
  order: 'sequence DESC',
  filters: {},
});

export const alertTables = [policyTable, webhookTable, notificationTable];

export type PolicyRow = RowOf<typeof policyTable>;
export type WebhookRow = RowOf<typeof webhookTable>;
export type NotificationRow = RowOf<typeof notificationTable>;

/** Adds the notifications that policies request for an alert. Returns how many are pending because of it. */
export function addAlert(
  sql: Sql,
  alert: Alert,
  { nowMs, newId }: { readonly nowMs: number; readonly newId: () => string },
): number {
  let added = 0;
  for (const { id: policyId, content } of policyTable.list(sql)) {
    if (!isConcerned(content, alert) || wasNotified(sql, { policyId, content, alert, nowMs })) continue;
    const { email = [], webhooks = [] } = content.mechanisms;
    const ways = [
      ...webhooks.map(({ id }) => ({ kind: 'webhook' as const, target: toWebhookId(id) })),
      ...email.map(({ id }) => ({ kind: 'email' as const, target: id })),
    ];
    for (const way of ways) {
      const { subject } = alert;
      const fresh = { dueMs: nowMs, tries: 0, sentAtMs: null, problem: null };
      notificationTable.insert(sql, {
        id: newId(),
        policyId,
        subject,
        alert,
        ...way,
        createdAtMs: nowMs,
        ...fresh,
      });
      added++;
    }
  }
  sql.exec(
    'DELETE FROM alert_notifications WHERE sequence <= (SELECT max(sequence) FROM alert_notifications) - ?',
    alertsKept,
  );
  return added;
}

function isConcerned({ enabled, alert_type, filters }: PolicyContent, { type, zoneId }: Alert): boolean {
  const { zones = [] } = filters ?? {};
  return enabled && alert_type === type && (zones.length === 0 || zones.includes(zoneId ?? ''));
}

interface Told {
  readonly policyId: string;
  readonly content: PolicyContent;
  readonly alert: Alert;
  readonly nowMs: number;
}

/** Setting the clock back must not suppress notifications for longer than the interval. */
function wasNotified(sql: Sql, { policyId, content, alert, nowMs }: Told): boolean {
  const sinceMs = nowMs - readInterval(content.alert_interval);
  const where = 'WHERE policy_id = ? AND subject = ? AND created_ms > ? AND created_ms <= ?';
  return notificationTable.count(sql, where, policyId, alert.subject, sinceMs, nowMs) > 0;
}

function readInterval(text = '60m'): number {
  return Number.parseInt(text, 10) * (text.endsWith('h') ? 3_600_000 : 60_000);
}

export function listDue(sql: Sql, nowMs: number, max: number): NotificationRow[] {
  return notificationTable.select(
    sql,
    'WHERE due_ms IS NOT NULL AND due_ms <= ? ORDER BY sequence LIMIT ?',
    nowMs,
    max,
  );
}

/** Records the outcome of an attempt to send a notification. */
export function noteAttempt(
  sql: Sql,
  row: NotificationRow,
  result: PromiseSettledResult<void>,
  nowMs: number,
): void {
  const isSent = result.status === 'fulfilled';
  const tries = row.tries + 1;
  const retryMs = backOffMs(tries, alertRetryMs);
  const isOver = isSent || Math.abs(nowMs - row.createdAtMs) > alertGiveUpMs;
  notificationTable.update(sql, {
    ...row,
    tries,
    dueMs: isOver ? null : nowMs + retryMs,
    sentAtMs: isSent ? nowMs : null,
    problem: isSent ? null : String((result.reason as Error).message).slice(0, 500),
  });
  const webhook = row.kind === 'webhook' ? webhookTable.get(sql, row.target) : undefined;
  if (webhook === undefined) return;
  webhookTable.update(sql, { ...webhook, ...(isSent ? { succeededAtMs: nowMs } : { failedAtMs: nowMs }) });
}

/** Undefined if nothing is pending. */
export function findNextDue(sql: Sql): number | undefined {
  const [row] = notificationTable.select(sql, 'WHERE due_ms IS NOT NULL ORDER BY due_ms LIMIT 1');
  return row?.dueMs ?? undefined;
}

export function sealWebhookSecret(
  keySealer: KeySealer,
  id: string,
  secret: string | null | undefined,
): string | null {
  return (secret ?? '') === '' ? null : keySealer.seal(secret!, `webhook ${id}`);
}

export function openWebhookSecret(
  keySealer: KeySealer,
  { id, sealedSecret }: WebhookRow,
): string | undefined {
  return sealedSecret === null ? undefined : keySealer.open(sealedSecret, `webhook ${id}`);
}
