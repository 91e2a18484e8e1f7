import{c as a,d as p,e as $,f as c,h as R,i as d,k as x}from"./chunk-613b549e.js";var g="\u2013";function h(e){return e==null?g:e<9.95?`${Number(e.toFixed(e<.995?2:1))} ms`:e<999.5?`${Math.round(e)} ms`:`${(e/1e3).toFixed(e<59995?2:1)} s`}function i(e){return e==null?g:`${(e*100).toFixed(1)} %`}function o(e){return e.toLocaleString("en-US")}function M(e,t,r=`${t}s`){return`${o(e)} ${e===1?t:r}`}function v(e){let t=new Date(e);return[t.getHours(),t.getMinutes(),t.getSeconds()].map(r=>String(r).padStart(2,"0")).join(":")}function N(e){if(e<60)return`${Math.max(0,Math.round(e))} s`;let t=Math.floor(e/60);if(t<60)return`${t} min`;let r=Math.floor(t/60);return r<24?`${r} h ${t%60} min`:`${Math.floor(r/24)} d ${r%24} h`}function w(e,t){let[r,n]=p({value:void 0,error:void 0}),s=c(!1),f=c(e);f.current=e;let l=R(async()=>{try{let u=await x(e);s.current=!1,f.current===e&&n({value:u,error:void 0})}catch(u){let m=u instanceof d?u:new d(String(u),0);s.current=m.status===401,f.current===e&&n(({value:b})=>({value:b,error:m}))}},[e]);return $(()=>{if(l(),t===void 0)return;let u=setInterval(()=>document.hidden||s.current||void l(),t);return()=>clearInterval(u)},[l,t]),{...r,reload:()=>void l()}}var S={model:"Model",rule:"Rule",mode:"Mode",wire:"API",key:"Client key",upstream:"Upstream"},y=[{title:"Requests",hasRules:!1,of:({requests:e})=>o(e)},{title:"Errors",hasRules:!1,of:({errors:e})=>o(e)},{title:"Printed calls as text",hasRules:!1,of:({printedAsTextRate:e})=>i(e)},{title:"Reached the agent as text",hasRules:!0,of:({reachedAsText:e})=>o(e)},{title:"Candidates",hasRules:!0,of:({candidates:e})=>o(e)},{title:"Attempts",hasRules:!0,of:({attempts:e})=>o(e)},{title:"Success",hasRules:!0,of:({successRate:e})=>i(e)},{title:"Accepted",hasRules:!0,of:({acceptanceRate:e})=>i(e)},{title:"Repairs",hasRules:!0,of:({repairs:e})=>o(e)},{title:"Near misses",hasRules:!1,of:({nearMisses:e})=>o(e)},{title:"Tokens",hasRules:!1,of:({tokens:e})=>o(e)},{title:"First token",hasRules:!1,of:({firstMsMean:e})=>h(e)},{title:"Total",hasRules:!1,of:({durationMsMean:e})=>h(e)}];function L({kind:e,rows:t}){if(t.length===0)return a`<p class="empty">Nothing yet.</p>`;let r=y.filter(({hasRules:n})=>n||e!=="rule");return a`
    <div class="wide" tabindex="0" role="region" aria-label=${`Figures by ${e}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">${S[e]}</th>
            ${r.map(({title:n})=>a`<th scope="col" class="number">${n}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${t.map(n=>a`
              <tr key=${n.name}>
                <th scope="row">${n.name}</th>
                ${r.map(({of:s})=>a`<td class="number">${s(n)}</td>`)}
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}export{g as a,h as b,i as c,o as d,M as e,v as f,N as g,w as h,L as i};
