import { BarChart, LineChart, ScatterChart, TreemapChart } from "echarts/charts";
import { GridComponent, TooltipComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";

use([BarChart, LineChart, ScatterChart, TreemapChart, GridComponent, TooltipComponent, CanvasRenderer]);

export { init };
