import { type Cases, agent, get, header, query } from '../../testing.ts';

const browser = agent('Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0');

export const scannersCases: Readonly<Record<string, Cases>> = {
  '100035': {
    hits: [agent('sqlmap/1.8.2#stable (https://sqlmap.org)'), agent('Mozilla/5.0 (compatible; Havij)')],
    misses: [browser, agent('SQLMapper ORM client/2')],
  },
  '100035B': {
    hits: [
      agent('Mozilla/5.00 (Nikto/2.1.6)'),
      agent('Nuclei - Open-source project'),
      agent('Mozilla/5.0 (compatible; Acunetix)'),
    ],
    misses: [browser, agent('nucleus-app/2.1')],
  },
  '100035C': {
    hits: [agent('gobuster/3.6'), agent('WPScan v3.8.25'), agent('Fuzz Faster U Fool v2.1.0'), agent('ZmEu')],
    misses: [browser, agent('ghostbuster/1.0')],
  },
  '100035D': {
    hits: [
      agent('Mozilla/5.0 (compatible; Nmap Scripting Engine; https://nmap.org/book/nse.html)'),
      agent('Mozilla/5.0 zgrab/0.x'),
    ],
    misses: [browser, agent('nmap-viewer/1.0')],
  },
  '100035U': {
    hits: [agent('<?php system($_GET[0]); ?>'), agent("x;system('id')")],
    misses: [browser, agent('Operating System (Linux)')],
  },
  '100035E': {
    hits: [agent('python-requests/2.31.0'), agent('Scrapy/2.11')],
    misses: [browser, agent('MyApp/1.0 (python-requests)')],
  },
  '100035F': {
    hits: [agent('EmailSiphon'), agent('Mozilla/4.0 (compatible; ExtractorPro)')],
    misses: [browser, agent('EmailClient/3.2')],
  },
  '100036': {
    hits: [header('acunetix-product', 'WVS/14'), header('x-scanner', 'Netsparker')],
    misses: [header('x-scan-id', '7'), browser],
  },
  '100036B': {
    hits: [
      get('/acunetix-wvs-test-for-some-inexistent-file'),
      get('/nmaplowercheck1700000000'),
      get('/w00tw00t.at.ISC.SANS.DFind:)'),
    ],
    misses: [get('/nice-ports'), query('acunetix review')],
  },
  '100037': {
    hits: [agent('Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)')],
    misses: [browser, agent('Google-Docs')],
  },
};
