/** The certificate that a zone gets automatically from an ACME authority. */
import { universalSslCodes as codes } from '../../codes/certificates.ts';
import { operationsOf } from '../../operation.ts';
import {
  annotate,
  array,
  choice,
  flag,
  ignored,
  listOf,
  named,
  nullable,
  object,
  optional,
  pageParameters,
  record,
  string,
  text,
  textParameter,
  timestamp,
  whole,
} from '#shapes';

const operation = operationsOf({ api: 'certificates', read: ['sslRead', 'sslWrite'], write: ['sslWrite'] });

/** The most names that a certificate can have in the profiles that all authorities offer. */
const universalHostsMax = 25;

const settingsChange = named(
  'UniversalSslChange',
  object({
    enabled: flag(),
    certificate_authority: ignored(),
    hosts: optional(array(text({ min: 1, max: 253 }), { min: 1, max: universalHostsMax })),
    email: optional(text({ min: 3, max: 254, description: 'The contact address for the authority. Ours.' })),
  }),
);

const settings = named(
  'UniversalSsl',
  record({
    enabled: flag(),
    hosts: listOf(string),
    email: nullable(string),
  }),
);

const packStatuses = ['pending_validation', 'active', 'expired'] as const;

const packCertificate = named(
  'PackCertificate',
  record({
    id: string,
    hosts: listOf(string),
    issuer: string,
    signature: string,
    status: choice(['active', 'expired']),
    bundle_method: string,
    zone_id: string,
    uploaded_on: timestamp,
    modified_on: timestamp,
    expires_on: timestamp,
    priority: whole,
  }),
);

/** Ours: Cloudflare's words do not say whether someone has to act. */
const state = annotate(choice(['expired', 'expiring', 'failing', 'pending', 'active']), {
  description:
    'expiring: it should have been replaced. failing: the last attempt to get or renew it failed, and there is time left.',
});

const pack = named(
  'CertificatePack',
  record({
    id: string,
    type: choice(['universal']),
    hosts: listOf(string),
    status: choice(packStatuses),
    state,
    certificates: listOf(packCertificate),
    primary_certificate: nullable(string),
    certificate_authority: string,
    validation_method: annotate(choice(['http', 'tls', 'txt']), {
      description: 'The first validation method. tls is ours.',
    }),
    validation_errors: listOf(named('ValidationError', record({ message: string }))),
    created_on: timestamp,
    renews_on: nullable(timestamp),
    next_attempt_on: nullable(timestamp),
  }),
);

export const universalSslOperations = {
  'universalSsl.get': operation('GET /zones/{zone_id}/ssl/universal/settings', {
    summary: 'Get whether the zone gets its certificate automatically',
    result: settings,
  }),
  'universalSsl.edit': operation('PATCH /zones/{zone_id}/ssl/universal/settings', {
    summary: 'Turn automatic certificates of the zone on or off',
    body: settingsChange,
    result: settings,
    codes: [codes.hostOutside],
  }),
  'certificatePacks.list': operation('GET /zones/{zone_id}/ssl/certificate_packs', {
    summary: 'List the automatic certificates of the zone',
    // Whether a certificate has expired depends on the time of the call.
    isPersonal: true,
    query: {
      status: textParameter('all: also those that are still being validated.'),
      ...pageParameters({ fallback: 20, max: 50 }),
    },
    result: listOf(pack),
  }),
  'certificatePacks.get': operation('GET /zones/{zone_id}/ssl/certificate_packs/{certificate_pack_id}', {
    summary: 'Get an automatic certificate of the zone, with the next attempt and the last failure',
    isPersonal: true,
    result: pack,
    codes: [codes.packNotFound],
  }),
  'certificates.list': operation('GET /accounts/{account_id}/certificates', {
    summary: 'List the certificates of all zones, the most urgent first',
    permissions: ['accountRead'],
    isPersonal: true,
    isOurs: true,
    query: pageParameters({ fallback: 20, max: 100 }),
    result: listOf(
      named(
        'ZoneCertificate',
        record({
          id: string,
          zone_id: string,
          zone_name: string,
          source: choice(['universal', 'uploaded']),
          hosts: listOf(string),
          state,
          expires_on: nullable(timestamp),
          problem: annotate(nullable(string), {
            description: 'The last failure, as reported by the authority.',
          }),
        }),
      ),
    ),
  }),
};
