/** Notifications of events, by webhook or mail. */
import { alertingCodes as codes } from '../codes/notifications.ts';
import { operationsOf } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import {
  array,
  choice,
  flag,
  ignored,
  listOf,
  map,
  mapOf,
  named,
  nothing,
  nullable,
  object,
  optional,
  pageParameters,
  record,
  string,
  text,
  timestamp,
} from '#shapes';

const read: readonly Permission[] = ['notificationsRead', 'notificationsWrite'];
const write: readonly Permission[] = ['notificationsWrite'];

const operation = operationsOf({ api: 'alerting', read, write });

/** Cloudflare's names for the events that also occur here; that of the disk is ours. */
const alertTypes = [
  'clickhouse_alert_fw_anomaly',
  'real_origin_monitoring',
  'load_balancing_health_alert',
  'universal_ssl_event_type',
  'gatehouse_disk_filling',
] as const;

// Provider 4 also sends a name, which is ignored.
const recipient = object({ id: text({ min: 1, max: 254 }), name: ignored() });
const mechanism = array(named('Recipient', recipient), { max: 20 });
const content = {
  name: text({ min: 1, max: 200 }),
  description: optional(text({ max: 1_000 })),
  enabled: optional(flag()),
  alert_type: choice(alertTypes),
  alert_interval: optional(
    text({ max: 10, pattern: /^\d{1,4}[mh]$/, what: 'minutes or hours, such as 30m' }),
  ),
  mechanisms: named(
    'Mechanisms',
    object({
      email: optional(mechanism),
      webhooks: optional(mechanism),
      pagerduty: optional(mechanism),
    }),
  ),
  filters: optional(nullable(map(array(text({ max: 254 }), { max: 100 }), { max: 20 }))),
  conditions: ignored(),
  id: ignored(),
  created: ignored(),
  modified: ignored(),
};
const shownMechanism = listOf(named('ShownRecipient', record({ id: string })));
const policy = named(
  'NotificationPolicy',
  record({
    id: string,
    name: string,
    description: string,
    enabled: flag(),
    alert_type: choice(alertTypes),
    /** Absent if it is the default, 60m. */
    alert_interval: optional(string),
    mechanisms: named(
      'ShownMechanisms',
      record({ email: optional(shownMechanism), webhooks: optional(shownMechanism) }),
    ),
    filters: optional(mapOf(listOf(string))),
    created: timestamp,
    modified: timestamp,
  }),
);
const webhookContent = {
  name: text({ min: 1, max: 200 }),
  url: text({ min: 8, max: 2_048 }),
  secret: optional(nullable(text({ max: 500 }))),
};
/** Fields that clients read and send back. */
const webhookFacts = {
  type: ignored(),
  created_at: ignored(),
  last_success: ignored(),
  last_failure: ignored(),
};
const webhook = named(
  'NotificationWebhook',
  record({
    id: string,
    name: string,
    url: string,
    type: choice(['generic']),
    created_at: timestamp,
    last_success: nullable(timestamp),
    last_failure: nullable(timestamp),
  }),
);
const onlyId = named('NotificationId', record({ id: string }));

/** Older clients of Cloudflare write the ids of webhooks as UUIDs, with dashes. */
const segments = { webhook_id: /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/ };

const path = '/accounts/{account_id}/alerting/v3';
const onePolicy = `${path}/policies/{policy_id}` as const;
const oneWebhook = `${path}/destinations/webhooks/{webhook_id}` as const;

export const alertingOperations = {
  'alerting.available': operation(`GET ${path}/available_alerts`, {
    summary: 'List the types of notifications',
    result: named(
      'AvailableAlerts',
      mapOf(
        listOf(named('AvailableAlert', record({ type: string, display_name: string, description: string }))),
      ),
    ),
  }),
  'alerting.listPolicies': operation(`GET ${path}/policies`, {
    summary: 'List the notification policies',
    result: listOf(policy),
  }),
  'alerting.createPolicy': operation(`POST ${path}/policies`, {
    summary: 'Create a notification policy',
    body: named('NewNotificationPolicy', object(content)),
    result: onlyId,
    codes: [codes.alertingInvalid, codes.alertingQuota],
  }),
  'alerting.getPolicy': operation(`GET ${onePolicy}`, {
    summary: 'Get a notification policy',
    result: policy,
    codes: [codes.alertingNotFound],
  }),
  'alerting.updatePolicy': operation(`PUT ${onePolicy}`, {
    summary: 'Change a notification policy; what is not sent stays as it is',
    body: named(
      'NotificationPolicyUpdate',
      object({
        ...content,
        name: optional(content.name),
        alert_type: optional(content.alert_type),
        mechanisms: optional(content.mechanisms),
      }),
    ),
    result: onlyId,
    codes: [codes.alertingNotFound, codes.alertingInvalid],
  }),
  'alerting.deletePolicy': operation(`DELETE ${onePolicy}`, {
    summary: 'Delete a notification policy',
    result: nothing,
    codes: [codes.alertingNotFound],
  }),
  'alerting.listWebhooks': operation(`GET ${path}/destinations/webhooks`, {
    summary: 'List the webhooks',
    result: listOf(webhook),
  }),
  'alerting.createWebhook': operation(`POST ${path}/destinations/webhooks`, {
    summary: 'Create a webhook; its secret is not shown again',
    body: named('NewNotificationWebhook', object(webhookContent)),
    result: onlyId,
    codes: [codes.alertingInvalid, codes.alertingQuota],
  }),
  'alerting.getWebhook': operation(`GET ${oneWebhook}`, {
    segments,
    summary: 'Get a webhook',
    result: webhook,
    codes: [codes.alertingNotFound],
  }),
  'alerting.updateWebhook': operation(`PUT ${oneWebhook}`, {
    segments,
    summary: 'Replace a webhook; without a secret it has none',
    body: named('NotificationWebhookUpdate', object({ ...webhookContent, ...webhookFacts })),
    result: onlyId,
    codes: [codes.alertingNotFound, codes.alertingInvalid],
  }),
  'alerting.deleteWebhook': operation(`DELETE ${oneWebhook}`, {
    segments,
    summary: 'Delete a webhook that no policy uses',
    result: nothing,
    codes: [codes.alertingNotFound, codes.alertingInUse],
  }),
  'alerting.listEligible': operation(`GET ${path}/destinations/eligible`, {
    summary: 'List the mechanisms by which notifications can be sent',
    result: named(
      'EligibleMechanisms',
      mapOf(named('EligibleMechanism', record({ eligible: flag(), ready: flag(), type: string }))),
    ),
  }),
  'alerting.history': operation(`GET ${path}/history`, {
    summary: 'List the notifications of the last days, the newest first',
    query: pageParameters({ fallback: 25, max: 1_000 }),
    result: listOf(
      named(
        'SentNotification',
        record({
          id: string,
          policy_id: string,
          name: string,
          description: string,
          alert_type: string,
          alert_body: string,
          mechanism: string,
          mechanism_type: choice(['webhook', 'email']),
          /** When it was delivered; null while delivery is being tried, or if it was given up. */
          sent: nullable(timestamp),
          /** Ours: why it has not been delivered yet. */
          problem: nullable(string),
        }),
      ),
    ),
  }),
};
