/** The forms of notification policies and webhooks. */
import type { Result } from '#client';
import { client } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';

export const policiesPath = '/accounts/{account_id}/alerting/v3/policies';
export const webhooksPath = '/accounts/{account_id}/alerting/v3/destinations/webhooks';

type AlertType = Result<'alerting.getPolicy'>['alert_type'];

export const alertNames: Readonly<Record<AlertType, string>> = {
  clickhouse_alert_fw_anomaly: 'a burst of attacks',
  real_origin_monitoring: 'the origin of a site does not answer',
  load_balancing_health_alert: 'an origin of a pool goes down or recovers',
  universal_ssl_event_type: 'a certificate expires',
  gatehouse_disk_filling: 'the disk is filling up',
};

interface PolicyFormProps {
  readonly webhooks: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
}

export function PolicyForm({ webhooks, onClose }: PolicyFormProps) {
  const account_id = useAccountId();
  return (
    <WriteDialog
      title="Create a policy"
      action="Save policy"
      initial={{
        name: '',
        alert_type: 'clickhouse_alert_fw_anomaly' as AlertType,
        webhook: webhooks[0]?.id ?? '',
        mail: '',
      }}
      write={({ webhook, mail, ...same }) => {
        const mechanisms = {
          webhooks: webhook === '' ? [] : [{ id: webhook }],
          email: mail.split(/[\s,]+/).flatMap((id) => (id === '' ? [] : [{ id }])),
        };
        return client.post(policiesPath, { account_id, body: { ...same, mechanisms } });
      }}
      done="The policy is saved"
      isIncomplete={({ name, webhook, mail }) => name === '' || (webhook === '' && mail === '')}
      onClose={onClose}
    >
      {(bind) => (
        <>
          <TextField label="Name" {...bind('name')} />
          <SelectField label="When" options={alertNames} {...bind('alert_type')} />
          <SelectField
            label="Webhook"
            options={{ '': 'none', ...Object.fromEntries(webhooks.map(({ id, name }) => [id, name])) }}
            {...bind('webhook')}
          />
          <TextField
            label="Mail"
            hint="E-mail addresses. They need the setting mail_server."
            {...bind('mail')}
          />
        </>
      )}
    </WriteDialog>
  );
}

export function WebhookForm({ onClose }: { readonly onClose: () => void }) {
  const account_id = useAccountId();
  return (
    <WriteDialog
      title="Create a webhook"
      action="Save webhook"
      initial={{ name: '', url: '', secret: '' }}
      write={(body) => client.post(webhooksPath, { account_id, body })}
      done="The webhook is saved"
      isIncomplete={({ name, url }) => name === '' || url === ''}
      onClose={onClose}
    >
      {(bind) => (
        <>
          <TextField label="Name" {...bind('name')} />
          <TextField label="Address" isCode {...bind('url')} />
          <TextField
            label="Secret"
            hint="Sent in the header cf-webhook-auth to authenticate this server. It is not shown again."
            type="password"
            {...bind('secret')}
          />
        </>
      )}
    </WriteDialog>
  );
}
