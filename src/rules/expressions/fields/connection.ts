/** The connection, its encryption, and this server. */
import { boolType, bytesType, intType, ipType } from '../types.ts';
import { defineFields, deprecate } from './define.ts';

const server = defineFields({ filledBy: 'proxy' }, [
  ['cf.edge.server_ip', ipType, 'The address that the client connected to.'],
  ['cf.edge.server_port', intType, 'The port that the client connected to.'],
  ['cf.edge.client_port', intType, 'The port that the client connected from.'],
  ['cf.edge.client_tcp', boolType, 'Whether the client came over TCP, not QUIC.'],
  ['cf.edge.l4.delivery_rate', intType, 'The rate of delivery to the client in bytes per second.'],
  ['cf.timings.client_tcp_rtt_msec', intType, 'The round trip to the client over TCP in milliseconds.'],
  ['cf.timings.client_quic_rtt_msec', intType, 'The round trip to the client over QUIC in milliseconds.'],
  ['cf.timings.edge_msec', intType, 'Time spent here in milliseconds.'],
  ['cf.timings.origin_ttfb_msec', intType, 'Time to the first byte of the origin in milliseconds.'],
  ['cf.timings.worker_msec', intType, 'Time spent in a Worker in milliseconds.'],
  ['cf.ray_id', bytesType, 'The id of the request.'],
  ['cf.random_seed', bytesType, 'Random bytes, new with every request.'],
  ['cf.zone.name', bytesType, 'The name of the zone.'],
  ['cf.hostname.metadata', bytesType, 'Metadata of the host name.'],
  ['cf.worker.upstream_zone', bytesType, 'The zone of the Worker that made the request.'],
  ['cf.metal.id', bytesType, 'The id of this machine.'],
  ['cf.colo.name', bytesType, 'The name of this site.'],
  ['cf.colo.region', bytesType, 'The region of this site.'],
]);

const encryption = defineFields({ filledBy: 'tls' }, [
  ['cf.tls_version', bytesType, 'The version of TLS, such as TLSv1.3.'],
  ['cf.tls_cipher', bytesType, 'The cipher, as OpenSSL names it.'],
  ['cf.tls_client_auth.cert_presented', boolType, 'Whether the client showed a certificate.'],
  ['cf.tls_client_auth.cert_verified', boolType, 'Whether that certificate is valid, revoked or not.'],
  ['cf.tls_client_auth.cert_revoked', boolType, 'Whether that certificate is revoked.'],
  ['cf.tls_client_auth.cert_issuer_dn', bytesType, 'The name of its issuer.'],
  ['cf.tls_client_auth.cert_issuer_dn_rfc2253', bytesType, 'The name of its issuer by RFC 2253.'],
  ['cf.tls_client_auth.cert_issuer_dn_legacy', bytesType, 'The name of its issuer in the old form.'],
  ['cf.tls_client_auth.cert_subject_dn', bytesType, 'The name of its subject.'],
  ['cf.tls_client_auth.cert_subject_dn_rfc2253', bytesType, 'The name of its subject by RFC 2253.'],
  ['cf.tls_client_auth.cert_subject_dn_legacy', bytesType, 'The name of its subject in the old form.'],
  ['cf.tls_client_auth.cert_serial', bytesType, 'Its serial number.'],
  ['cf.tls_client_auth.cert_issuer_serial', bytesType, 'The serial number of its issuer.'],
  ['cf.tls_client_auth.cert_fingerprint_sha256', bytesType, 'Its SHA-256 fingerprint.'],
  ['cf.tls_client_auth.cert_fingerprint_sha1', bytesType, 'Its SHA-1 fingerprint.'],
  ['cf.tls_client_auth.cert_not_before', bytesType, 'Start of its validity.'],
  ['cf.tls_client_auth.cert_not_after', bytesType, 'End of its validity.'],
  ['cf.tls_client_auth.cert_ski', bytesType, 'Its subject key identifier.'],
  ['cf.tls_client_auth.cert_issuer_ski', bytesType, 'The subject key identifier of its issuer.'],
  [
    'cf.tls_client_auth.cert_rfc9440',
    bytesType,
    'The certificate by RFC 9440, if it is not larger than 10 KiB.',
  ],
  ['cf.tls_client_auth.cert_rfc9440_too_large', boolType, 'Whether it was too large for that.'],
  [
    'cf.tls_client_auth.cert_chain_rfc9440',
    bytesType,
    'Its chain by RFC 9440, if it is not larger than 16 KiB.',
  ],
  ['cf.tls_client_auth.cert_chain_rfc9440_too_large', boolType, 'Whether the chain was too large for that.'],
]);

const hello = defineFields({ filledBy: 'client hello' }, [
  ['cf.tls_client_hello_length', intType, 'The length of the client hello.'],
  ['cf.tls_client_random', bytesType, 'The random bytes of the client hello.'],
  ['cf.tls_client_extensions_sha1', bytesType, 'A hash over the extensions of the client hello.'],
  ['cf.tls_client_extensions_sha1_le', bytesType, 'The same, the extensions in little-endian form.'],
  ['cf.tls_ciphers_sha1', bytesType, 'A hash over the ciphers of the client hello.'],
  ['cf.bot_management.ja3_hash', bytesType, 'The JA3 fingerprint.'],
  ['cf.bot_management.ja4', bytesType, 'The JA4 fingerprint.'],
]);

const ciphers = hello.find(({ name }) => name === 'cf.tls_ciphers_sha1')!;

export const connectionFields = [
  ...server,
  ...encryption,
  ...hello,
  deprecate('cf.tls_client_ciphers_sha1', ciphers),
];
