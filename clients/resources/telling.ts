/** Jobs of Logpush, and notifications with their webhooks, for both providers. */
import type { Facts, Imports, ResourceCase } from '../case.ts';
import { type Attributes, type Generation, Reference, writeResource } from '../hcl.ts';

const inAccount: Imports[string] = ({ id }, { accountId }) => `${accountId}/${String(id)}`;

function job({ zone: { id } }: Facts, isChanged: boolean): Attributes {
  return {
    zone_id: id,
    name: isChanged ? 'other' : 'events',
    dataset: 'firewall_events',
    enabled: !isChanged,
    // Values of fields, as in `?header_authorization=…`, are never shown again, and so are planned anew each time.
    destination_conf: 'https://logs.example/ingest',
    filter: '{"where":{"key":"Action","operator":"eq","value":"block"}}',
    max_upload_interval_seconds: isChanged ? 60 : 30,
    output_options: {
      field_names: ['RayID', 'Action', 'Source'],
      output_type: 'ndjson',
      timestamp_format: isChanged ? 'unix' : 'rfc3339',
      sample_rate: 1,
    },
  };
}

/** A policy that notifies a webhook; the server of the run sends no mail. */
function telling(generation: Generation, { accountId: account_id }: Facts, isChanged: boolean): string {
  const webhook = new Reference('cloudflare_notification_policy_webhooks.one.id');
  const ways =
    generation === 'provider-4'
      ? { webhooks_integration: { id: webhook } }
      : { mechanisms: { webhooks: [{ id: webhook }] } };
  return (
    writeResource(generation, 'notification_policy_webhooks', {
      content: {
        account_id,
        name: isChanged ? 'other chat' : 'chat',
        url: 'https://chat.example/hook',
        secret: 'a secret',
      },
    }) +
    writeResource(generation, 'notification_policy', {
      content: {
        account_id,
        name: 'attacks',
        description: isChanged ? 'changed' : 'one',
        enabled: !isChanged,
        alert_type: 'clickhouse_alert_fw_anomaly',
        ...ways,
      },
    })
  );
}

function casesOf(provider: Generation): ResourceCase[] {
  return [
    {
      name: 'cloudflare_logpush_job',
      provider,
      plan: 'enterprise',
      configurations: (facts) => [
        writeResource(provider, 'logpush_job', { content: job(facts, false) }),
        writeResource(provider, 'logpush_job', { content: job(facts, true) }),
      ],
      imports: {
        'cloudflare_logpush_job.one':
          provider === 'provider-4'
            ? ({ id }, { zone }) => `zone/${zone.id}/${String(id)}`
            : ({ id }, { zone }) => `zones/${zone.id}/${String(id)}`,
      },
    },
    {
      name: 'cloudflare_notification_policy with its webhook',
      provider,
      plan: 'enterprise',
      configurations: (facts) => [telling(provider, facts, false), telling(provider, facts, true)],
      imports: {
        'cloudflare_notification_policy.one': inAccount,
        'cloudflare_notification_policy_webhooks.one': inAccount,
      },
      // The secret of a webhook is never shown again.
      isImportPartial: true,
    },
  ];
}

export const tellingCases: readonly ResourceCase[] = [...casesOf('provider-4'), ...casesOf('provider-5')];
