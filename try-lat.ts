import { readLarge, generated, queriesFor } from "./test/bench/search/corpus.ts";
import { vitrine } from "./test/bench/search/vitrine.ts";
const n=Number(process.argv[3]||0);
const texts = process.argv[2]==='gen'?generated(n):readLarge()!;
const v=await vitrine(texts); const qs=queriesFor(texts,300);
for(let r=0;r<4;r++){const ts:number[]=[];for(const q of qs){const b=performance.now();v.find(q,20);ts.push(performance.now()-b);}ts.sort((a,b)=>a-b);console.log('median',ts[150]!.toFixed(3),'p90',ts[270]!.toFixed(3),'max',ts[299]!.toFixed(1));}
const slow=qs.map(q=>{const b=performance.now();const r=v.find(q,20);return [performance.now()-b,q,r.total] as const}).sort((a,b)=>b[0]-a[0]);console.log(slow.slice(0,6),slow[150]);
if(process.argv[4]){const {Session}=await import('node:inspector');const s=new Session();s.connect();s.post('Profiler.enable');s.post('Profiler.start');for(let r=0;r<6;r++)for(const q of qs)v.find(q,20);s.post('Profiler.stop',(_:any,{profile}:any)=>{const self=new Map<string,number>();const byId=new Map<number,any>(profile.nodes.map((n:any)=>[n.id,n]));let tot=0;profile.samples.forEach((x:number,i:number)=>{const c=byId.get(x).callFrame;const k=c.functionName+' '+c.url.split('/').slice(-2).join('/')+':'+c.lineNumber;self.set(k,(self.get(k)||0)+profile.timeDeltas[i]);tot+=profile.timeDeltas[i];});[...self].sort((a,b)=>b[1]-a[1]).slice(0,24).forEach(([k,t])=>console.log((100*t/tot).toFixed(1)+'%',k));});}
await v.close();
