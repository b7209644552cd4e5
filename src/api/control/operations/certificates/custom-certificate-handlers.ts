/** Operations on the certificates of a zone. A private key is never part of an answer, except to edges. */
import { customCertificateCodes, fault, ok, pageOf, type Result } from '#contract';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { customCertificatesMax } from '../../context/limits.ts';
import { toSeconds } from '../../context/timestamps.ts';
import {
  type CustomCertificate,
  customCertificateTable,
} from '../../stores/certificates/custom-certificates.ts';
import { readUpload } from './read-upload.ts';

export const customCertificateHandlers: Handlers<ZoneContext, 'customCertificates'> = {
  'customCertificates.create'(context, { body }) {
    const { sql, zone, nowMs } = context;
    const count = customCertificateTable.count(sql);
    if (count >= customCertificatesMax) {
      throw fault(customCertificateCodes.certificatesTooMany, { fill: { count } });
    }
    const { certificate, private_key: privateKey, bundle_method: bundleMethod = 'ubiquitous' } = body;
    const uploaded = readUpload({ certificate, privateKey }, { zoneName: zone.name, nowMs });
    if ('reason' in uploaded) {
      const { pointer, reason } = uploaded;
      throw fault(customCertificateCodes.certificateInvalid, { pointer, fill: { reason } });
    }
    const { chain, hosts, issuer, signature, expiresAtMs } = uploaded;
    const id = context.newId();
    const sealedKey = context.keySealer.seal(uploaded.privateKey, id);
    const added = {
      id,
      chain,
      sealedKey,
      hosts,
      issuer,
      signature,
      bundleMethod,
      uploadedAtMs: nowMs,
      expiresAtMs,
    };
    customCertificateTable.insert(sql, added);
    const json = toJson(context, added);
    context.audit({ resource: 'custom_certificate', id, before: undefined, after: json });
    return ok(json);
  },

  'customCertificates.list'(context, { query }) {
    const all = customCertificateTable.list(context.sql);
    const chosen = all.filter(
      (certificate) => query.status === undefined || getStatus(certificate, context.nowMs) === query.status,
    );
    return pageOf(
      chosen.map((certificate) => toJson(context, certificate)),
      query,
    );
  },

  'customCertificates.get': (context, { path }) => ok(toJson(context, requireCertificate(context, path))),

  'customCertificates.delete'(context, { path }) {
    const certificate = requireCertificate(context, path);
    const { id } = certificate;
    customCertificateTable.remove(context.sql, id);
    context.audit({
      resource: 'custom_certificate',
      id,
      before: toJson(context, certificate),
      after: undefined,
    });
    return ok({ id });
  },
};

function requireCertificate({ sql }: ZoneContext, path: Readonly<Record<string, string>>): CustomCertificate {
  const found = customCertificateTable.get(sql, path['custom_certificate_id']!);
  if (found === undefined) throw fault(customCertificateCodes.certificateNotFound);
  return found;
}

function getStatus({ expiresAtMs }: CustomCertificate, nowMs: number): 'active' | 'expired' {
  return expiresAtMs <= nowMs ? 'expired' : 'active';
}

function toJson(
  { zone, nowMs }: ZoneContext,
  certificate: CustomCertificate,
): Result<'customCertificates.get'> {
  return {
    id: certificate.id,
    zone_id: zone.id,
    hosts: certificate.hosts,
    issuer: certificate.issuer,
    signature: certificate.signature,
    status: getStatus(certificate, nowMs),
    bundle_method: certificate.bundleMethod,
    priority: 0,
    uploaded_on: toSeconds(certificate.uploadedAtMs),
    modified_on: toSeconds(certificate.uploadedAtMs),
    expires_on: toSeconds(certificate.expiresAtMs),
  };
}
