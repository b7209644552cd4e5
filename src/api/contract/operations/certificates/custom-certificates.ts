/** Certificates that the owner of a zone uploads. The edge serves them by the name in the TLS handshake. */
import { customCertificateCodes as codes } from '../../codes/certificates.ts';
import { operationsOf } from '../../operation.ts';
import {
  choice,
  choiceParameter,
  deleted,
  ignored,
  listOf,
  named,
  object,
  optional,
  pageParameters,
  text,
  record,
  string,
  whole,
  timestamp,
} from '#shapes';

const operation = operationsOf({ api: 'certificates', read: ['sslRead', 'sslWrite'], write: ['sslWrite'] });

export type BundleMethod = (typeof bundleMethods)[number];
const bundleMethods = ['ubiquitous', 'optimal', 'force'] as const;
const statuses = ['active', 'expired'] as const;

const certificate = named(
  'CustomCertificateUpload',
  object({
    certificate: text({
      min: 1,
      max: 65_536,
      description: 'The chain as PEM, the certificate of the server first.',
    }),
    private_key: text({ min: 1, max: 16_384, description: 'As PEM, not encrypted. It is never returned.' }),
    bundle_method: optional(choice(bundleMethods)),
    type: optional(choice(['legacy_custom', 'sni_custom'])),
    deploy: ignored(),
    geo_restrictions: ignored(),
    policy: ignored(),
  }),
);

const certificateSchema = named(
  'CustomCertificate',
  record({
    id: string,
    zone_id: string,
    hosts: listOf(string),
    issuer: string,
    signature: string,
    status: choice(statuses),
    bundle_method: optional(choice(bundleMethods)),
    priority: optional(whole),
    uploaded_on: optional(timestamp),
    modified_on: optional(timestamp),
    expires_on: timestamp,
  }),
);

export const customCertificateOperations = {
  'customCertificates.create': operation('POST /zones/{zone_id}/custom_certificates', {
    summary: 'Upload a certificate and its private key',
    body: certificate,
    result: certificateSchema,
    codes: [codes.certificateInvalid, codes.certificatesTooMany],
  }),
  'customCertificates.list': operation('GET /zones/{zone_id}/custom_certificates', {
    summary: 'List the certificates of a zone',
    // Whether a certificate has expired depends on the time of the call.
    isPersonal: true,
    query: {
      status: choiceParameter(statuses, 'Default: both.'),
      ...pageParameters({ fallback: 20, max: 50 }),
    },
    result: listOf(certificateSchema),
  }),
  'customCertificates.get': operation('GET /zones/{zone_id}/custom_certificates/{custom_certificate_id}', {
    summary: 'Get a certificate',
    isPersonal: true,
    result: certificateSchema,
    codes: [codes.certificateNotFound],
  }),
  'customCertificates.delete': operation(
    'DELETE /zones/{zone_id}/custom_certificates/{custom_certificate_id}',
    {
      summary: 'Delete a certificate and its private key',
      result: deleted,
      codes: [codes.certificateNotFound],
    },
  ),
};
