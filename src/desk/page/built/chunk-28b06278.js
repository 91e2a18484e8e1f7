import{c as a,d as p,e as $,f as c,h as R,i as d,k as x}from"./chunk-613b549e.js";var b="\u2013";function h(t){return t==null?b:t<9.95?`${Number(t.toFixed(t<.995?2:1))} ms`:t<999.5?`${Math.round(t)} ms`:`${(t/1e3).toFixed(t<59995?2:1)} s`}function i(t){return t==null?b:`${(t*100).toFixed(1)} %`}function o(t){return t.toLocaleString("en-US")}function v(t,e,r=`${e}s`){return`${o(t)} ${t===1?e:r}`}function N(t){let e=new Date(t);return[e.getHours(),e.getMinutes(),e.getSeconds()].map(r=>String(r).padStart(2,"0")).join(":")}function y(t){if(t<60)return`${Math.max(0,Math.round(t))} s`;let e=Math.floor(t/60);if(e<60)return`${e} min`;let r=Math.floor(e/60);return r<24?`${r} h ${e%60} min`:`${Math.floor(r/24)} d ${r%24} h`}function T(t,e){let[r,n]=p({value:void 0,error:void 0}),s=c(!1),l=c(t);l.current=t;let f=R(async()=>{try{let u=await x(t);s.current=!1,l.current===t&&n({value:u,error:void 0})}catch(u){let m=u instanceof d?u:new d(String(u),0);s.current=m.status===401,l.current===t&&n(({value:g})=>({value:g,error:m}))}},[t]);return $(()=>{if(f(),e===void 0)return;let u=setInterval(()=>document.hidden||s.current||void f(),e);return()=>clearInterval(u)},[f,e]),{...r,reload:()=>void f()}}var S={model:"Model",rule:"Rule",mode:"Mode"},M=[{title:"Requests",hasRules:!1,of:({requests:t})=>o(t)},{title:"Errors",hasRules:!1,of:({errors:t})=>o(t)},{title:"Leak rate",hasRules:!1,of:({leakRate:t})=>i(t)},{title:"Candidates",hasRules:!0,of:({candidates:t})=>o(t)},{title:"Attempts",hasRules:!0,of:({attempts:t})=>o(t)},{title:"Success",hasRules:!0,of:({successRate:t})=>i(t)},{title:"Accepted",hasRules:!0,of:({acceptanceRate:t})=>i(t)},{title:"Repairs",hasRules:!0,of:({repairs:t})=>o(t)},{title:"Near misses",hasRules:!1,of:({nearMisses:t})=>o(t)},{title:"First token",hasRules:!1,of:({firstMsMean:t})=>h(t)},{title:"Total",hasRules:!1,of:({durationMsMean:t})=>h(t)}];function I({kind:t,rows:e}){if(e.length===0)return a`<p class="empty">Nothing yet.</p>`;let r=M.filter(({hasRules:n})=>n||t!=="rule");return a`
    <div class="wide" tabindex="0" role="region" aria-label=${`Figures by ${t}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">${S[t]}</th>
            ${r.map(({title:n})=>a`<th scope="col" class="number">${n}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${e.map(n=>a`
              <tr key=${n.name}>
                <th scope="row">${n.name}</th>
                ${r.map(({of:s})=>a`<td class="number">${s(n)}</td>`)}
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}export{b as a,h as b,i as c,o as d,v as e,N as f,y as g,T as h,I as i};
