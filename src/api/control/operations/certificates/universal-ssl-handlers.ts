/**
 * Operations on the certificate that a zone gets automatically. The zone's alarm does the work (`certificate-work.ts`).
 */
import { X509Certificate } from 'node:crypto';
import { isCertificateName } from '#certificates';
import { fault, ok, pageOf, type Result, universalSslCodes } from '#contract';
import { toKnown } from '../../certificates/known-certificates.ts';
import { findState } from '../../stores/certificates/zone-certificates.ts';
import { renewalTask } from '../../certificates/certificate-work.ts';
import { describeSignature, findIssuer, listHosts } from '../../certificates/describe-certificate.ts';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { toSeconds } from '../../context/timestamps.ts';
import {
  type ManagedCertificate,
  managedCertificateTable,
} from '../../stores/certificates/managed-certificates.ts';

export const universalSslHandlers: Handlers<ZoneContext, 'universalSsl' | 'certificatePacks'> = {
  'universalSsl.get': (context) => ok(toSettingsJson(context, read(context))),

  'universalSsl.edit'(context, { body }) {
    const { nowMs } = context;
    const before = read(context);
    const hosts = body.hosts?.map((host) => checkHost(context, host)) ?? before?.hosts ?? [context.zone.name];
    const isSame = before?.isEnabled === true && before.hosts.join() === hosts.join();
    const after: ManagedCertificate = {
      ...(before ?? create(context)),
      isEnabled: body.enabled,
      hosts,
      email: body.email ?? before?.email ?? null,
      // Other names need another certificate and another order; until it is issued, the current one is served.
      ...(isSame ? {} : { ...nothingOrdered, dueAtMs: body.enabled ? nowMs : null, renewAtMs: nowMs }),
    };
    managedCertificateTable.put(context.sql, after);
    if (after.dueAtMs !== null) context.schedule(renewalTask, { dueMs: after.dueAtMs });
    context.audit({
      resource: 'universal_ssl',
      id: context.zone.id,
      before: toSettingsJson(context, before),
      after: toSettingsJson(context, after),
    });
    return ok(toSettingsJson(context, after));
  },

  'certificatePacks.list'(context, { query }) {
    const packs = listPacks(context);
    const shown = query.status === 'all' ? packs : packs.filter(({ status }) => status === 'active');
    return pageOf(shown, query);
  },

  'certificatePacks.get'(context, { path }) {
    const pack = listPacks(context).find(({ id }) => id === path['certificate_pack_id']);
    if (pack === undefined) throw fault(universalSslCodes.packNotFound);
    return ok(pack);
  },
};

const nothingOrdered = { orderUrl: null, sealedOrderKey: null, failures: 0, problem: null };

function read({ sql }: ZoneContext): ManagedCertificate | undefined {
  return managedCertificateTable.get(sql);
}

function create({ nowMs, newId, zone }: ZoneContext): ManagedCertificate {
  return {
    id: newId(),
    isEnabled: false,
    hosts: [zone.name],
    email: null,
    createdAtMs: nowMs,
    chain: null,
    sealedKey: null,
    issuedAtMs: null,
    expiresAtMs: null,
    renewAtMs: null,
    directory: null,
    dueAtMs: null,
    ...nothingOrdered,
  };
}

/** Wildcards can only be validated by TXT records. */
function checkHost({ zone, acme }: ZoneContext, written: string): string {
  const host = written.toLowerCase();
  const isBelow = host === zone.name || host.endsWith(`.${zone.name}`);
  const isProvable = !host.startsWith('*') || acme.dns !== undefined;
  if (isBelow && isProvable && isCertificateName(host)) return host;
  throw fault(universalSslCodes.hostOutside, { pointer: '/hosts', fill: { host: written, zone: zone.name } });
}

function toSettingsJson(
  { zone }: ZoneContext,
  certificate: ManagedCertificate | undefined,
): Result<'universalSsl.get'> {
  return {
    enabled: certificate?.isEnabled ?? false,
    hosts: certificate?.hosts ?? [zone.name],
    email: certificate?.email ?? null,
  };
}

type Pack = Result<'certificatePacks.get'>;

function listPacks(context: ZoneContext): Pack[] {
  const certificate = read(context);
  if (certificate === undefined || (!certificate.isEnabled && certificate.chain === null)) return [];
  return [toPackJson(context, certificate)];
}

function toPackJson({ acme, zone, nowMs }: ZoneContext, certificate: ManagedCertificate): Pack {
  const { id, hosts, chain, createdAtMs, expiresAtMs, issuedAtMs, renewAtMs, dueAtMs, problem } = certificate;
  const isExpired = expiresAtMs !== null && expiresAtMs <= nowMs;
  const issued = chain === null ? undefined : new X509Certificate(chain);
  return {
    id,
    type: 'universal',
    hosts,
    state: findState(toKnown(certificate), nowMs),
    status: issued === undefined ? 'pending_validation' : isExpired ? 'expired' : 'active',
    certificates:
      issued === undefined
        ? []
        : [
            {
              id,
              hosts: listHosts(issued),
              issuer: findIssuer(issued),
              signature: describeSignature(issued),
              status: isExpired ? 'expired' : 'active',
              bundle_method: 'ubiquitous',
              zone_id: zone.id,
              uploaded_on: toSeconds(issuedAtMs!),
              modified_on: toSeconds(issuedAtMs!),
              expires_on: toSeconds(expiresAtMs!),
              priority: 0,
            },
          ],
    primary_certificate: issued === undefined ? null : id,
    certificate_authority: certificate.directory === null ? '' : new URL(certificate.directory).host,
    validation_method: acme.dns !== undefined ? 'txt' : acme.challenges[0] === 'http-01' ? 'http' : 'tls',
    validation_errors: problem === null ? [] : [{ message: problem }],
    created_on: toSeconds(createdAtMs),
    renews_on: issued === undefined || renewAtMs === null ? null : toSeconds(renewAtMs),
    next_attempt_on: dueAtMs === null ? null : toSeconds(dueAtMs),
  };
}
