/** Single expressions, the ones that wirefilter was measured with. */
import { parseIp } from '../../src/foundation/addresses.ts';
import type { Facts } from './workload.ts';

const cidrs = Array.from(
  { length: 21 },
  (_, index) => `${100 + index * 3}.${index * 11}.0.0/${16 + (index % 8)}`,
).join(' ');

const countries =
  'AF AL DZ AO AZ BD BY BJ BO BA BF BI KH CM CF TD CN CO CD CI CU DJ EG SV GQ ER ET GA GM GE GH GT GN GW HT HN ID IR IQ KE KG LA LB LS LR LY MG MW ML MR MD MN MZ MM NP NI NE NG KP PK';

export interface Single {
  readonly name: string;
  readonly source: string;
  /** Nanoseconds that wirefilter (Rust, release build) took on this kind of machine; not measured here. */
  readonly wirefilterNs: number;
  /** What makes it true: speed is measured on requests that it is not true of, verdicts are compared on both. */
  readonly hit: Facts;
}

export const singles: readonly Single[] = [
  { name: 'ip eq', source: 'ip.src eq 192.0.2.1', wirefilterNs: 9, hit: { 'ip.src': parseIp('192.0.2.1')! } },
  {
    name: 'ip in 21 CIDRs',
    source: `ip.src in {${cidrs}}`,
    wirefilterNs: 16,
    hit: { 'ip.src': parseIp('103.11.1.2')! },
  },
  {
    name: 'country in 60',
    source: `ip.src.country in {${countries
      .split(' ')
      .map((country) => `"${country}"`)
      .join(' ')}}`,
    wirefilterNs: 68,
    hit: { 'ip.src.country': 'PK' },
  },
  {
    name: 'contains, miss',
    source: 'http.user_agent contains "Googlebot"',
    wirefilterNs: 19,
    hit: { 'http.user_agent': 'x Googlebot/2.1' },
  },
  {
    name: 'regex, miss',
    source: String.raw`http.user_agent matches "(?i)googlebot/\d+\.\d+"`,
    wirefilterNs: 28,
    hit: { 'http.user_agent': 'x GoogleBot/2.1' },
  },
  {
    name: 'any lower header name',
    source: 'any(lower(http.request.headers.names[*])[*] eq "x-missing-header")',
    wirefilterNs: 602,
    hit: { 'http.request.headers.names': ['Host', 'X-Missing-Header'] },
  },
  {
    name: 'nested example',
    source:
      '(http.host eq "api.example.com" and http.request.uri.path eq "/api/v2/auth") or ' +
      '(http.host matches "^(www|store|blog)\\.example\\.com" and http.request.uri.path contains "wp-login.php") or ' +
      '(ip.src.country in {"CN" "TH" "US" "ID" "KR" "MY" "IT" "SG" "GB"} and ip.src.asnum in {12345 54321} and not ip.src in {11.22.33.0/24})',
    wirefilterNs: 63,
    hit: { 'http.host': 'blog.example.com', 'http.request.uri.path': '/wp-login.php' },
  },
];
