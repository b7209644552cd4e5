import { family } from '../resource-row.ts';

export const notificationFamily = family(
  'notifications',
  'Notifications by webhook or mail: policies, webhooks, history.',
  {
    list: { operation: 'alerting.listPolicies', columns: 'id name alert_type enabled alert_interval' },
    get: 'alerting.getPolicy',
    create: 'alerting.createPolicy',
    update: 'alerting.updatePolicy',
    delete: 'alerting.deletePolicy',
    types: { operation: 'alerting.available', isDocument: true },
    webhooks: { operation: 'alerting.listWebhooks', columns: 'id name url last_success last_failure' },
    'create-webhook': 'alerting.createWebhook',
    'update-webhook': 'alerting.updateWebhook',
    'delete-webhook': 'alerting.deleteWebhook',
    history: {
      operation: 'alerting.history',
      columns: 'sent mechanism_type name alert_body problem',
      limit: 100,
    },
  },
);
