import { createApp } from 'vue';
// @ts-ignore: compiled by the plugin
import App from './App.vue';

createApp(App).mount('#app');
