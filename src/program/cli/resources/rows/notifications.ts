import type { ResourceFamily } from '../resource-row.ts';

export const notificationFamily: ResourceFamily = {
  summary: 'Notifications by webhook or mail: policies, webhooks, history.',
  rows: [
    {
      name: 'notifications list',
      operation: 'alerting.listPolicies',
      columns: ['id', 'name', 'alert_type', 'enabled', 'alert_interval'],
    },
    { name: 'notifications get', operation: 'alerting.getPolicy' },
    { name: 'notifications create', operation: 'alerting.createPolicy' },
    { name: 'notifications update', operation: 'alerting.updatePolicy' },
    { name: 'notifications delete', operation: 'alerting.deletePolicy' },
    { name: 'notifications types', operation: 'alerting.available', isDocument: true },
    {
      name: 'notifications webhooks',
      operation: 'alerting.listWebhooks',
      columns: ['id', 'name', 'url', 'last_success', 'last_failure'],
    },
    { name: 'notifications create-webhook', operation: 'alerting.createWebhook' },
    { name: 'notifications update-webhook', operation: 'alerting.updateWebhook' },
    { name: 'notifications delete-webhook', operation: 'alerting.deleteWebhook' },
    {
      name: 'notifications history',
      operation: 'alerting.history',
      columns: ['sent', 'mechanism_type', 'name', 'alert_body', 'problem'],
      limit: 100,
    },
  ],
};
