/** The forms of notification policies and webhooks. */
import type { Result } from '#client';
import { client } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { useDraft } from '../../parts/forms/draft.ts';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';

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

interface PolicyContent {
  readonly name: string;
  readonly type: AlertType;
  readonly webhook: string;
  readonly mail: string;
}

interface PolicyFormProps {
  readonly webhooks: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
}

export function PolicyForm({ webhooks, onClose }: PolicyFormProps) {
  const account_id = useAccountId();
  const { value, bind } = useDraft(undefined, {
    read: (): PolicyContent => ({
      name: '',
      type: 'clickhouse_alert_fw_anomaly',
      webhook: webhooks[0]?.id ?? '',
      mail: '',
    }),
  });
  const saving = useWrite({
    write: () =>
      client.post(policiesPath, {
        account_id,
        body: {
          name: value.name,
          alert_type: value.type,
          mechanisms: {
            webhooks: value.webhook === '' ? [] : [{ id: value.webhook }],
            email: value.mail.split(/[\s,]+/).flatMap((id) => (id === '' ? [] : [{ id }])),
          },
        },
      }),
    done: 'The policy is saved',
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Create a policy"
      action="Save policy"
      work={saving}
      isIncomplete={value.name === '' || (value.webhook === '' && value.mail === '')}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <TextField label="Name" {...bind('name')} />
      <SelectField label="When" options={alertNames} {...bind('type')} />
      <SelectField
        label="Webhook"
        options={{ '': 'none', ...Object.fromEntries(webhooks.map(({ id, name }) => [id, name])) }}
        {...bind('webhook')}
      />
      <TextField label="Mail" hint="E-mail addresses. They need the setting mail_server." {...bind('mail')} />
    </FormDialog>
  );
}

export function WebhookForm({ onClose }: { readonly onClose: () => void }) {
  const account_id = useAccountId();
  const { value, bind } = useDraft(undefined, { read: () => ({ name: '', url: '', secret: '' }) });
  const saving = useWrite({
    write: () => client.post(webhooksPath, { account_id, body: value }),
    done: 'The webhook is saved',
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Create a webhook"
      action="Save webhook"
      work={saving}
      isIncomplete={value.name === '' || value.url === ''}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <TextField label="Name" {...bind('name')} />
      <TextField label="Address" isCode {...bind('url')} />
      <TextField
        label="Secret"
        hint="Sent in the header cf-webhook-auth to authenticate this server. It is not shown again."
        type="password"
        {...bind('secret')}
      />
    </FormDialog>
  );
}
