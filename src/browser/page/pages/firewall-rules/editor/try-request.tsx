/** A described request, evaluated by the zone's rules including the edited one. */
import { useMutation } from '@tanstack/react-query';
import type { Result as ResultOf, Sent } from '#client';
import { client } from '../../../api/client.ts';
import { useZone } from '../../../api/queries.ts';
import type { JudgedRule } from '../../../api/types.ts';
import { describeError } from '../../../api/api-error.ts';
import { Button } from '../../../parts/button.tsx';
import { ExplanationTree } from '../../../parts/explanation-tree.tsx';
import { SelectField, TextField } from '../../../parts/forms/field.tsx';
import { type Bind, useFields } from '../../../parts/forms/fields.ts';
import { ActionPill } from '../../../parts/pill.tsx';
import { findNext } from '../reorder.ts';
import type { FirewallRule, FirewallRuleDraft } from '../rules-api.ts';

interface TryRequestProps {
  readonly rules: readonly FirewallRule[];
  readonly ruleId: string | undefined;
  readonly draft: FirewallRuleDraft;
  readonly isReady: boolean;
}

interface DescribedRequest {
  readonly method: string;
  readonly url: string;
  readonly ip: string;
  readonly country: string;
  readonly headers: string;
  readonly body: string;
}

type Trace = ResultOf<'security.trace'>;

export function TryRequest({ rules, ruleId, draft, isReady }: TryRequestProps) {
  const zone = useZone();
  const { value: request, bind } = useFields<DescribedRequest>({
    method: 'GET',
    url: `https://${zone.name}/`,
    ip: '192.0.2.1',
    country: '',
    headers: 'User-Agent: Mozilla/5.0',
    body: '',
  });
  const trace = useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      const { action, products, expression } = draft;
      const firewall_rule = {
        ...(ruleId === undefined ? {} : { id: ruleId }),
        before: findNext(rules, ruleId, draft),
        action,
        ...(action === 'bypass' ? { products } : {}),
        expression,
      };
      const body = { ...toBody(request), firewall_rule };
      return (await client.post('/zones/{zone_id}/security/trace', { zone_id: zone.id, body })).result;
    },
  });
  return (
    <div className="stack">
      <RequestFields bind={bind} />
      <div className="row">
        <Button onClick={() => trace.mutate()} isBusy={trace.isPending} disabled={!isReady}>
          Try it
        </Button>
        <span className="soft">Nothing is sent to your site.</span>
      </div>
      <div aria-live="polite">
        {trace.isError && <p className="form-error">{describeError(trace.error)}</p>}
        {trace.data !== undefined && !trace.isPending && (
          <Result trace={trace.data} isPaused={draft.paused} tried={ruleId ?? 'tried'} />
        )}
      </div>
    </div>
  );
}

function toBody({ method, url, ip, country, headers, body }: DescribedRequest): Sent<'security.trace'> {
  const pairs = headers
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): [string, string] => {
      const colon = line.indexOf(':');
      return colon < 0 ? [line.trim(), ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    });
  return {
    method,
    url,
    ip,
    ...(country.trim() === '' ? {} : { country: country.trim().toUpperCase() }),
    headers: Object.fromEntries(pairs),
    ...(body === '' ? {} : { body }),
  };
}

function RequestFields({ bind }: { readonly bind: Bind<DescribedRequest> }) {
  return (
    <>
      <div className="firewall-rules-request">
        <SelectField label="Method" options={methods} {...bind('method')} />
        <TextField label="URL" {...bind('url')} spellCheck={false} />
        <TextField label="Client address" {...bind('ip')} spellCheck={false} />
        <TextField label="Country" {...bind('country')} maxLength={2} placeholder="none" />
      </div>
      <details>
        <summary>Headers and body</summary>
        <div className="grid">
          <TextField label="Headers, one per line" rows={4} {...bind('headers')} />
          <TextField label="Body" rows={4} {...bind('body')} />
        </div>
      </details>
    </>
  );
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

interface ResultProps {
  readonly trace: Trace;
  readonly isPaused: boolean;
  readonly tried: string;
}

function Result({ trace, isPaused, tried }: ResultProps) {
  const { verdict, explanation } = trace;
  const decider = explanation.rules.find(({ ruleId }) => ruleId === verdict.rule_id);
  return (
    <div className="box stack">
      <p>
        <strong>{trace.tried?.is_match === true ? 'The rule matches.' : 'The rule does not match.'}</strong>{' '}
        {verdict.action === 'pass' ? (
          'The request would reach your site.'
        ) : (
          <>
            The request would get <ActionPill action={verdict.action} />{' '}
            {verdict.rule_id === tried
              ? 'by this rule.'
              : `by another rule${describeDecider(decider, verdict)}.`}
          </>
        )}
        {isPaused && ' Evaluated as if the rule were not paused.'}
      </p>
      {trace.tried !== undefined && <ExplanationTree part={trace.tried.tree} />}
    </div>
  );
}

function describeDecider(decider: JudgedRule | undefined, { source }: Trace['verdict']): string {
  const name = decider?.description ?? '';
  return name === '' ? ` (${source ?? 'unknown'})` : ` (${source ?? 'unknown'}: ${name})`;
}
