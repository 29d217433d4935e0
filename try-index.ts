import { readJudged, readLarge, generated, queriesFor } from "./test/bench/search/corpus.ts";
import { miniSearch } from "./test/bench/search/peers.ts";
import { vitrine } from "./test/bench/search/vitrine.ts";
const which=process.argv[2], n=Number(process.argv[3]);
const texts = (which==='gen'?generated(n):which==='large'?readLarge()!:[...readJudged()!.texts].sort((a,b)=>a.id-b.id)).slice(0,n);
const cpu=()=>{const c=process.cpuUsage();return (c.user+c.system)/1000};
let c=cpu(),t=performance.now(); const v=await vitrine(texts); console.log('vitrine',texts.length,'wall',Math.round(performance.now()-t),'projecting',Math.round(v.projecting),'cpu',Math.round(cpu()-c),'flush',(globalThis as any).TF,'keep',(globalThis as any).TK,'bytes/event',v.eventBytes/texts.length);
if(process.argv[4]!=='v'){c=cpu();t=performance.now(); await miniSearch(texts); console.log('minisearch wall',Math.round(performance.now()-t),'cpu',Math.round(cpu()-c));}
const {statSync}=await import('node:fs'); console.log('disk/product', statSync(v.store.directory+'/data.mdb').size/texts.length);
await v.close();
