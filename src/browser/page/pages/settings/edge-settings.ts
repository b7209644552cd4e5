/** The edge settings of a zone, and their form. */
import type { Result } from '#client';
import { toOrigin, writeOrigin } from '../origins.ts';

/** Learning has a separate card. */
export type EdgeSettings = Omit<Result<'edge.get'>, 'learning'>;

export interface EdgeDraft {
  readonly url: string;
  readonly connectTo: string;
  readonly verifyTls: boolean;
  readonly overInspectionLimit: EdgeSettings['over_inspection_limit'];
  readonly forwardedFields: string;
  readonly responseRules: EdgeSettings['response_rules'];
  readonly unconfirmedScores: EdgeSettings['unconfirmed_scores'];
}

export function toDraft({
  origin,
  over_inspection_limit,
  forwarded_fields,
  response_rules,
  unconfirmed_scores,
}: EdgeSettings): EdgeDraft {
  return {
    url: origin === null ? '' : writeOrigin(origin),
    connectTo: origin?.connect_to ?? '',
    verifyTls: origin?.verify_tls ?? true,
    overInspectionLimit: over_inspection_limit,
    forwardedFields: forwarded_fields.join(', '),
    responseRules: response_rules,
    unconfirmedScores: unconfirmed_scores,
  };
}

export function toSettings(draft: EdgeDraft): EdgeSettings {
  const [url, connectTo] = [draft.url.trim(), draft.connectTo.trim()];
  return {
    origin:
      url === ''
        ? null
        : toOrigin(url, {
            verify_tls: draft.verifyTls,
            ...(connectTo === '' ? {} : { connect_to: connectTo }),
          }),
    over_inspection_limit: draft.overInspectionLimit,
    forwarded_fields: draft.forwardedFields.split(/[\s,]+/).filter((name) => name !== ''),
    response_rules: draft.responseRules,
    unconfirmed_scores: draft.unconfirmedScores,
  };
}
