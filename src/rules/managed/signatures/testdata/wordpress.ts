import { type Cases, form, get, json, post } from '../../testing.ts';

const xmlRpc = (methodName: string) =>
  post('/xmlrpc.php', 'text/xml', `<methodCall><methodName>${methodName}</methodName></methodCall>`);

export const wordpressCases: Readonly<Record<string, Cases>> = {
  WP0025B: {
    hits: [
      json({ id: '1abc', title: 'x' }, '/wp-json/wp/v2/posts/1'),
      get('/wp-json/wp/v2/posts/7?id=7x'),
      get('/?rest_route=/wp/v2/posts/1&id=1a'),
    ],
    misses: [json({ id: 1, title: 'x' }, '/wp-json/wp/v2/posts/1'), get('/wp-json/wp/v2/posts/7?id=7')],
  },
  WP0001: { hits: [xmlRpc('system.multicall')], misses: [xmlRpc('wp.getPosts'), form('system.multicall')] },
  WP0002: { hits: [xmlRpc('pingback.ping')], misses: [xmlRpc('demo.sayHello')] },
  WP0003: {
    hits: [get('/?author=1'), get('/wp-json/wp/v2/users')],
    misses: [get('/?author=jane'), get('/wp-json/wp/v2/users/me')],
  },
  WP0004: {
    hits: [get(`/wp-admin/load-scripts.php?c=1&load%5B%5D=${'jquery,'.repeat(90)}`)],
    misses: [get('/wp-admin/load-scripts.php?c=1&load%5B%5D=jquery-core,utils')],
  },
  WP0005: {
    hits: [get('/wp-admin/admin-ajax.php?action=revslider_show_image&img=../wp-config.php')],
    misses: [get('/wp-admin/admin-ajax.php?action=revslider_show_image&img=a.png')],
  },
  WP0006: {
    hits: [get('/wp-content/plugins/wp-file-manager/lib/php/connector.minimal.php')],
    misses: [get('/wp-content/plugins/wp-file-manager/style.css')],
  },
  WP0007: {
    hits: [get('/wp-content/uploads/2024/05/x.php'), get('/wp-includes/images/smilies/a.php')],
    misses: [get('/wp-content/uploads/2024/05/php.png'), get('/wp-includes/js/wp-embed.min.js')],
  },
  WP0008: {
    hits: [get('/wp-content/themes/a/timthumb.php?src=http://flickr.com.evil.example/x.php')],
    misses: [get('/wp-content/themes/a/timthumb.php?src=http://cdn.example/x.jpg')],
  },
  WP0009: {
    hits: [
      form({ action: 'x', option: 'default_role', value: 'administrator' }, '/wp-admin/admin-ajax.php'),
      form(
        { data: '{"type":"save_setting","option":"users_can_register","value":"1"}' },
        '/wp-admin/admin-ajax.php',
      ),
    ],
    misses: [form({ action: 'heartbeat', option: 'x' }, '/wp-admin/admin-ajax.php')],
  },
  WP0010: { hits: [get('/wp-admin/install.php')], misses: [get('/wp-admin/plugin-install.php')] },
  WP0011: {
    hits: [
      form({ 'wp_capabilities[administrator]': '1' }),
      form({ 'wp_capabilities-12[administrator]': '1' }),
    ],
    misses: [form({ capabilities: 'administrator' }), form({ role: 'subscriber' })],
  },
  WP0012: {
    hits: [json({ element: { settings: { code: '<?php ?>' } } }, '/wp-json/bricks/v1/render_element')],
    misses: [json({ element: {} }, '/wp-json/bricks/v1/render_element')],
  },
  WP0013: {
    hits: [json({ user_id: 1, login_nonce: 'x' }, '/wp-json/reallysimplessl/v1/two_fa/skip_onboarding')],
    misses: [get('/wp-json/reallysimplessl/v1/do_action/license')],
  },
};
